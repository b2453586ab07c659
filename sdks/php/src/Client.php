<?php

declare(strict_types=1);

namespace RemotePrinting;

/** The Integration API, for one account. Methods return `data` of the answer and throw RemotePrintingException. */
final class Client
{
    /** Ids remembered while offsets shift. */
    private const REMEMBERED = 1_000;

    public readonly Jobs $jobs;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl address of the service, with or without /v1
     * @param float $timeout seconds of one attempt
     * @param float|null $deadline seconds of a call with all its repeats; null: without limit
     * @param callable(float): void|null $sleep for tests
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        float $timeout = 30.0,
        int $maxRetries = 3,
        ?float $deadline = null,
        ?callable $sleep = null,
    ) {
        $this->transport = new Transport($apiKey, $baseUrl, $timeout, $maxRetries, $deadline, $sleep);
        $this->jobs = new Jobs($this->transport);
    }

    /** @return array<string, mixed> */
    public function account(): array
    {
        return $this->request('GET', '/svc-api-account');
    }

    /**
     * @param array<string, mixed> $filter status, limit (of a page), offset
     * @return \Generator<array<string, mixed>>
     */
    public function computers(array $filter = []): \Generator
    {
        return self::listOf($this->transport, '/svc-api-computers', 'computer_id', $filter);
    }

    /**
     * @param array<string, mixed> $filter computer_id, status, limit (of a page), offset
     * @return \Generator<array<string, mixed>>
     */
    public function printers(array $filter = []): \Generator
    {
        return self::listOf($this->transport, '/svc-api-printers', 'printer_id', $filter);
    }

    /** @return array<string, mixed> the job of a test page */
    public function testPrinter(string $printerId): array
    {
        return $this->request('POST', '/svc-api-printers/' . rawurlencode($printerId) . '/test');
    }

    /**
     * Any other operation. Only a GET is repeated after a lost answer.
     *
     * @param string $path below /v1
     * @param array<string, mixed>|null $body
     */
    public function request(string $method, string $path, ?array $body = null): mixed
    {
        return $this->transport->send($method, $path, body: $body)->data;
    }

    /**
     * What has changed in the account, each event once and in order.
     *
     * @param string|null $after while $store is empty: a cursor, or "now"; null: from the first event ever
     * @param CursorStore|null $store gets the cursor of a page once the next item is asked for: its items are worked off then
     * @param string[]|null $eventTypes null: all that the scopes show
     * @param bool $follow false: ends after the last event of this moment; true: waits for further events, also through an outage
     * @return \Generator<int, array<string, mixed>>
     * @throws ApiException 409 if the service was restored and has lost the event of the cursor
     */
    public function changes(
        ?string $after = null,
        ?CursorStore $store = null,
        ?array $eventTypes = null,
        ?int $pageSize = null,
        bool $follow = true,
    ): \Generator {
        $cursor = $store?->load() ?? $after;
        $types = $eventTypes === null ? null : implode(',', $eventTypes);
        $headers = $follow ? Transport::waiting(INF) : [];
        for ($idle = 0; ;) {
            $askedAt = Transport::now();
            $query = ['after' => $cursor, 'limit' => $pageSize, 'event_types' => $types];
            $limits = [Transport::WAITING_ATTEMPT, null, $follow ? INF : 0.0];
            $answer = $this->transport->send('GET', '/svc-api-changes', $query, null, $headers, null, ...$limits);
            if ($answer->status !== 304) {
                foreach ($answer->data['items'] as $item) {
                    yield $item;
                }
                if ($answer->data['next_cursor'] !== $cursor) {
                    $cursor = $answer->data['next_cursor'];
                    $store?->save($cursor);
                    $idle = 0;
                    if ($follow || $answer->data['has_more']) {
                        continue;
                    }
                }
            }
            if (!$follow) {
                return;
            }
            $this->transport->sleep(Transport::pauseOf($idle++, $askedAt));
        }
    }

    /**
     * @internal Gives no item twice, although one created meanwhile moves the pages.
     *
     * @param array<string, mixed> $filter
     * @return \Generator<array<string, mixed>>
     */
    public static function listOf(Transport $transport, string $path, string $id, array $filter): \Generator
    {
        $seen = [];
        $offset = $filter['offset'] ?? null;
        do {
            $page = $transport->send('GET', $path, ['offset' => $offset] + $filter)->data;
            foreach ($page['items'] as $item) {
                if (isset($seen[$item[$id]])) {
                    continue;
                }
                $seen[$item[$id]] = true;
                if (count($seen) > self::REMEMBERED) {
                    unset($seen[array_key_first($seen)]);
                }
                yield $item;
            }
            $offset = $page['offset'] + count($page['items']);
        } while ($page['items'] !== [] && $offset < $page['total']);
    }
}
