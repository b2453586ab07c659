<?php

declare(strict_types=1);

namespace RemotePrinting;

/** `$client->jobs` */
final class Jobs
{
    private const PATH = '/svc-api-print-jobs';

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Creates a job exactly once per call, also when answers are lost.
     *
     * @param array<string, mixed> $job printer_id and content; also title, copies, external_id, options
     * @param string|null $idempotencyKey 8 to 128 of A-Z a-z 0-9 . _ : -; null: a new UUID
     */
    public function create(array $job, ?string $idempotencyKey = null): Submitted
    {
        return $this->submit('', $job, $idempotencyKey);
    }

    /** Queues a failed job again, or one in review: it may then print twice. */
    public function retry(string $jobId, ?string $reason = null, ?string $idempotencyKey = null): Submitted
    {
        return $this->submit('/' . rawurlencode($jobId) . '/retry', ['reason' => $reason], $idempotencyKey);
    }

    /** Prints the kept document again as a new job, on another printer if one is named. */
    public function reprint(string $jobId, ?string $printerId = null, ?string $idempotencyKey = null): Submitted
    {
        return $this->submit('/' . rawurlencode($jobId) . '/reprint', ['printer_id' => $printerId], $idempotencyKey);
    }

    /**
     * Newest first. A status that changes meanwhile can hide a job from a filter.
     *
     * @param array<string, mixed> $filter status, printer_id, external_id, limit (of a page), offset
     * @return \Generator<array<string, mixed>>
     */
    public function list(array $filter = []): \Generator
    {
        return Client::listOf($this->transport, self::PATH, 'job_id', $filter);
    }

    /**
     * With its history.
     *
     * @param string|null $at RFC 3339: shows the job as it was then
     * @return array<string, mixed>
     */
    public function get(string $jobId, ?string $at = null): array
    {
        return $this->transport->send('GET', self::pathOf($jobId), ['at' => $at])->data;
    }

    /** @return array<string, mixed> why it has not printed, and what to do */
    public function explain(string $jobId): array
    {
        return $this->transport->send('GET', self::pathOf($jobId) . '/explanation')->data;
    }

    /** @return array<string, mixed> the cancelled job; possible until an Agent has accepted it */
    public function cancel(string $jobId, ?string $reason = null): array
    {
        $body = $reason === null ? [] : ['reason' => $reason];
        return $this->transport->send('POST', self::pathOf($jobId) . '/cancel', body: $body)->data;
    }

    /**
     * Waits until the job has ended, also through an outage, with one request a change. Looks at least once.
     *
     * @param float $timeout seconds; at most the deadline of the client
     * @param callable(array<string, mixed>): void|null $onChange gets the job as first seen and after each change
     * @throws WaitTimeoutException with the job as last seen
     */
    public function wait(string $jobId, float $timeout = INF, ?callable $onChange = null): Ended
    {
        $left = min($timeout, $this->transport->deadline ?? INF);
        $end = Transport::now() + $left;
        $limit = Transport::WAITING_ATTEMPT;
        $answer = $this->transport->send('GET', self::pathOf($jobId), timeout: $limit, patience: $left);
        for ($requests = 1, $idle = 0, $changed = true; ; $requests++) {
            if ($changed && $onChange !== null) {
                $onChange($answer->data);
            }
            $outcome = self::outcomeOf($answer->data);
            if ($outcome !== null) {
                return new Ended($outcome, $answer->data);
            }
            $askedAt = Transport::now();
            $left = $end - $askedAt;
            if ($left <= 0) {
                throw new WaitTimeoutException($answer->data, $requests);
            }
            $etag = $answer->headers['etag'] ?? null;
            $headers = $etag === null ? [] : ["If-None-Match: $etag", ...Transport::waiting($left)];
            try {
                $path = self::pathOf($jobId);
                $next = $this->transport->send('GET', $path, [], null, $headers, null, $limit, $left, INF);
            } catch (RemotePrintingException $error) {
                $over = $error->retryable && Transport::now() >= $end;
                throw $over ? new WaitTimeoutException($answer->data, $requests + 1) : $error;
            }
            $changed = $next->status !== 304 && $next->data !== $answer->data;
            if ($changed) {
                [$answer, $idle] = [$next, 0];
            } else {
                $this->transport->sleep(max(0.0, min(Transport::pauseOf($idle++, $askedAt), $end - Transport::now())));
            }
        }
    }

    /** @param array<string, mixed> $body */
    private function submit(string $path, array $body, ?string $key): Submitted
    {
        $body = array_filter($body, static fn ($value) => $value !== null);
        $answer = $this->transport->send('POST', self::PATH . $path, body: $body, key: $key ?? self::newKey());
        $replayed = ($answer->headers['idempotent-replayed'] ?? '') === 'true';
        return new Submitted($answer->data, $replayed, $answer->headers['service-restored-from'] ?? null);
    }

    /** A random UUID. */
    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    private static function pathOf(string $jobId): string
    {
        return self::PATH . '/' . rawurlencode($jobId);
    }

    /** @param array<string, mixed> $job */
    private static function outcomeOf(array $job): ?string
    {
        return match ($job['status']) {
            'spooler_completed' => 'completed',
            'cancelled', 'expired' => $job['status'],
            'manual_review' => 'needs_decision',
            'failed' => ($job['retry_state'] ?? null) === 'scheduled' ? null : 'failed',
            default => null,
        };
    }
}
