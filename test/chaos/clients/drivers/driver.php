<?php

// Drives the PHP SDK: reads commands as lines of JSON, and answers each with a line.

declare(strict_types=1);

use RemotePrinting\ApiException;
use RemotePrinting\Client;
use RemotePrinting\Content;
use RemotePrinting\CursorStore;
use RemotePrinting\NoAnswerException;
use RemotePrinting\RemotePrintingException;
use RemotePrinting\Submitted;
use RemotePrinting\Webhook;
use RemotePrinting\WebhookVerificationException;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../../../../sdks/php/src/' . str_replace('RemotePrinting\\', '', $class) . '.php';
});

final class MemoryCursor implements CursorStore
{
    public array $saved = [];

    public function __construct(private readonly ?string $stored)
    {
    }

    public function load(): ?string
    {
        return $this->stored;
    }

    public function save(string $cursor): void
    {
        $this->saved[] = $cursor;
    }
}

function jobOf(array $job): array
{
    return ['job_id' => $job['job_id'], 'status' => $job['status']];
}

function submitted(Submitted $outcome): array
{
    return jobOf($outcome->job) + ['replayed' => $outcome->replayed, 'restored_from' => $outcome->restoredFrom];
}

function call(array $command, Client $client): array
{
    [$jobs, $given, $key] = [$client->jobs, $command['arguments'] ?? [], $command['key'] ?? null];
    switch ($command['operation']) {
        case 'test':
            return $client->testPrinter($given['printer_id']);
        case 'create':
            $job = ['printer_id' => $given['printer_id'], 'content' => Content::text($given['text'])];
            return submitted($jobs->create($job, $key));
        case 'retry':
            return submitted($jobs->retry($given['job_id'], 'paper was out', $key));
        case 'reprint':
            return submitted($jobs->reprint($given['job_id'], null, $key));
        case 'get':
            return jobOf($jobs->get($given['job_id']));
        case 'cancel':
            return jobOf($jobs->cancel($given['job_id'], 'ordered twice'));
        case 'list':
            return array_column(iterator_to_array($jobs->list($given), false), 'job_id');
    }
    $seen = [];
    $ended = $jobs->wait($given['job_id'], $given['timeout'] ?? INF, static function (array $job) use (&$seen): void {
        $seen[] = $job['status'];
    });
    return ['outcome' => $ended->outcome, 'status' => $ended->job['status'], 'seen' => $seen];
}

function changes(array $command, Client $client): array
{
    $store = new MemoryCursor($command['stored'] ?? null);
    $items = [];
    foreach ($client->changes($command['after'] ?? null, $store, follow: $command['follow']) as $item) {
        $items[] = $item['event_id'];
        if (count($items) === ($command['take'] ?? null)) {
            break;
        }
    }
    return ['items' => $items, 'saved' => $store->saved];
}

function createMany(array $command, Client $client): array
{
    $ids = [];
    for ($number = 0; $number < $command['count']; $number++) {
        $content = Content::text("Receipt $number");
        $ids[] = $client->jobs->create(['printer_id' => $command['printer_id'], 'content' => $content])->job['job_id'];
    }
    return ['job_ids' => $ids];
}

function verify(array $command): array
{
    $body = base64_decode($command['body']);
    $event = Webhook::verify($body, $command['headers'], $command['secrets'], $command['tolerance'], $command['now']);
    return ['event_type' => $event['event_type']];
}

function errorOf(RemotePrintingException $error): array
{
    $facts = ['attempts' => $error->attempts, 'key' => $error->idempotencyKey, 'message' => $error->getMessage(), 'text' => (string) $error];
    if ($error instanceof ApiException) {
        $api = ['status' => $error->status, 'code' => $error->errorCode, 'retryable' => $error->retryable];
        return ['kind' => 'api'] + $api + $facts;
    }
    return ['kind' => $error instanceof NoAnswerException ? 'no_answer' : 'wait_timeout'] + $facts;
}

while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    $pauses = [];
    try {
        if ($command['do'] === 'verify') {
            $answer = ['result' => verify($command)];
        } else {
            $client = new Client(
                $command['api_key'] ?? 'svc_live_secret',
                $command['base_url'],
                timeout: $command['timeout'] ?? 30.0,
                maxRetries: $command['max_retries'] ?? 3,
                deadline: $command['deadline'] ?? null,
                sleep: static function (float $seconds) use (&$pauses): void {
                    $pauses[] = $seconds;
                },
            );
            $does = ['call' => 'call', 'changes' => 'changes', 'create_many' => 'createMany'][$command['do']];
            $answer = ['result' => $does($command, $client), 'pauses' => &$pauses];
        }
    } catch (WebhookVerificationException $error) {
        $answer = ['error' => ['kind' => 'webhook', 'reason' => $error->reason]];
    } catch (RemotePrintingException $error) {
        $answer = ['error' => errorOf($error), 'pauses' => $pauses];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
    unset($answer);
}
