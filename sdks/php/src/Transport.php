<?php

declare(strict_types=1);

namespace RemotePrinting;

/** @internal Sends requests, and repeats them where no second effect can come of it. */
final class Transport
{
    /** Seconds of an attempt in which the service waits for a change. */
    public const WAITING_ATTEMPT = 40.0;
    private const WAIT_SECONDS = 25;
    /** Something on the way removed the wait from the request. */
    private const PAUSES = [1.0, 2.0, 4.0, 5.0];
    private const RETRY_AFTER_LIMIT = 60.0;
    private const LONGEST_PAUSE = 8.0;
    /** Statuses of a proxy that has no answer of the service. */
    private const PROXY = [408, 502, 503, 504];
    private const LATE = 'was not answered in time';
    private const USER_AGENT = 'remote-printing-php/2.0.59';

    private readonly string $base;
    private readonly \Closure $sleep;

    public function __construct(
        #[\SensitiveParameter] private readonly string $apiKey,
        string $baseUrl,
        private readonly float $timeout,
        private readonly int $maxRetries,
        public readonly ?float $deadline,
        ?callable $sleep,
    ) {
        if (preg_match('/^[\x21-\x7e]+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException('the API key must be printable ASCII');
        }
        if (preg_match('#^https?://#', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('the address of the service must begin with https:// or http://');
        }
        $this->base = preg_replace('#(/v1)?/?$#D', '', $baseUrl, 1) . '/v1';
        $this->sleep = $sleep === null
            ? static fn (float $seconds) => usleep((int) round($seconds * 1e6))
            : \Closure::fromCallable($sleep);
    }

    /** @return array<string, string> what var_dump and print_r show: not the key */
    public function __debugInfo(): array
    {
        return ['base' => $this->base];
    }

    public function sleep(float $seconds): void
    {
        ($this->sleep)($seconds);
    }

    /** @param float $left seconds; @return string[] headers that ask the service to wait for a change */
    public static function waiting(float $left): array
    {
        $seconds = (int) min(self::WAIT_SECONDS, floor($left));
        return $seconds > 0 ? ["Prefer: wait=$seconds"] : [];
    }

    /** Seconds before the next request, if an unchanged answer has come back at once. */
    public static function pauseOf(int $idle, float $askedAt): float
    {
        return self::now() - $askedAt >= 0.5 ? 0.0 : self::PAUSES[min($idle, count(self::PAUSES) - 1)];
    }

    /**
     * @param string $path below /v1
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param string[] $headers
     * @param string|null $key the idempotency key, kept over all attempts
     * @param float|null $timeout seconds of one attempt
     * @param float|null $deadline seconds of the call with all its repeats
     * @param float $patience seconds in which it is repeated, also more often than $maxRetries
     */
    public function send(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        array $headers = [],
        ?string $key = null,
        ?float $timeout = null,
        ?float $deadline = null,
        float $patience = 0.0,
    ): Answer {
        $query = http_build_query(array_filter($query, static fn ($value) => $value !== null));
        $url = $this->base . $path . ($query === '' ? '' : "?$query");
        $json = $body === null ? null : json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        $headers = [...$headers, ...$this->headers($json !== null, $key)];
        $repeatable = $method === 'GET' || $key !== null;
        $deadline ??= $this->deadline;
        $begun = self::now();
        $end = $begun + ($deadline ?? INF);
        for ($attempts = 1; ; $attempts++) {
            $limit = max(0.001, min($timeout ?? $this->timeout, $end - self::now()));
            [$status, $received, $text, $problem] = self::exchange($method, $url, $json, $headers, $limit);
            $data = json_decode($text, true);
            $data = is_array($data) && !array_is_list($data) ? $data : null;
            if ($problem === null && ($status === 304 || ($status < 300 && $data !== null))) {
                return new Answer($status, $received, $data['data'] ?? null);
            }
            $after = self::retryAfter($received['retry-after'] ?? '');
            if ($problem !== null || !is_string($data['code'] ?? null) || !is_bool($data['retryable'] ?? null)) {
                $again = $status === 429 || ($repeatable && ($status < 300 || in_array($status, self::PROXY, true)));
                $what = $problem ?? "had no whole answer of the service (status $status)";
                $error = new NoAnswerException("$method $path $what", $again, $attempts, $key, $problem === self::LATE);
            } else {
                $error = new ApiException($status, $data, $attempts, $key, $after);
                $again = $error->retryable && ($status === 429 || ($status === 503 && $repeatable));
            }
            $now = self::now();
            $patient = $now < $begun + $patience;
            $wanted = max($after, self::backoff($attempts));
            $pause = $patient ? max(0.0, min($wanted, self::RETRY_AFTER_LIMIT, $end - $now)) : $wanted;
            $late = ($patient ? $now : $now + $pause) >= $end || $pause > self::RETRY_AFTER_LIMIT;
            if (!$again || $late || ($attempts > $this->maxRetries && !$patient)) {
                throw $error;
            }
            $this->sleep($pause);
        }
    }

    /**
     * @param string[] $headers
     * @return array{int, array<string, string>, string, string|null} status, headers, body, and why there is no answer
     */
    private static function exchange(string $method, string $url, ?string $json, array $headers, float $limit): array
    {
        $received = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false, // Another host must not receive the key.
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FRESH_CONNECT => true, // On a used connection that is dead, curl repeats a request by itself.
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($limit * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ] + ($json === null ? [] : [CURLOPT_POSTFIELDS => $json]));
        $text = curl_exec($curl);
        if ($text !== false) {
            return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $text, null];
        }
        $late = curl_errno($curl) === CURLE_OPERATION_TIMEDOUT;
        return [0, [], '', $late ? self::LATE : 'was not answered (' . curl_error($curl) . ')'];
    }

    /** @return string[] */
    private function headers(bool $withBody, ?string $key): array
    {
        return [
            "Authorization: Bearer {$this->apiKey}",
            'Accept: application/json',
            'User-Agent: ' . self::USER_AGENT,
            'Expect:',
            ...($withBody ? ['Content-Type: application/json'] : []),
            ...($key === null ? [] : [$key === '' ? 'Idempotency-Key;' : "Idempotency-Key: $key"]),
        ];
    }

    /** Seconds of a clock that never goes back. */
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** A random time, so that many clients do not come back at once. */
    private static function backoff(int $attempts): float
    {
        return random_int(0, 1_000_000) / 1e6 * min(self::LONGEST_PAUSE, 2.0 ** ($attempts - 1));
    }

    /** Seconds of a header that has seconds or a date. */
    private static function retryAfter(string $given): float
    {
        $seconds = is_numeric($given) ? (float) $given : strtotime($given) - microtime(true);
        return $given === '' ? 0.0 : max(0.0, $seconds);
    }
}
