<?php

declare(strict_types=1);

namespace RemotePrinting;

final class Webhook
{
    /** Signed before the body, in this order and joined by dots. */
    private const SIGNED = [
        'x-svc-timestamp',
        'x-svc-event-id',
        'x-svc-version',
        'x-svc-api-version',
        'x-svc-event-schema-version',
    ];
    /** The second one is there for 24 hours after a rotation. */
    private const SIGNATURES = ['x-svc-signature', 'x-svc-signature-previous'];

    /**
     * Verifies a delivery over its raw bytes, before they are parsed.
     *
     * @param string $body as received: file_get_contents('php://input')
     * @param array<string, string|string[]> $headers names in any case, as of getallheaders()
     * @param string|string[] $secrets `whsec_live_…`: one, or after a rotation both
     * @param int $tolerance seconds
     * @param int|null $now Unix seconds; for tests
     * @return array<string, mixed> the event
     * @throws WebhookVerificationException
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $given = [];
        foreach ($headers as $name => $value) {
            $given[strtolower((string) $name)] = is_array($value) ? (string) reset($value) : $value;
        }
        foreach ([...self::SIGNED, self::SIGNATURES[0]] as $name) {
            if (!isset($given[$name])) {
                throw new WebhookVerificationException('missing_header', "$name is missing");
            }
        }
        $timestamp = $given['x-svc-timestamp'];
        if (preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1 || abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookVerificationException('stale', 'the timestamp is too far from now');
        }
        $head = implode('.', array_map(static fn ($name) => $given[$name], self::SIGNED));
        $signed = false;
        foreach (array_filter((array) $secrets, static fn ($secret) => $secret !== '') as $secret) {
            $expected = 'v1=' . hash_hmac('sha256', "$head.$body", $secret);
            foreach (self::SIGNATURES as $name) {
                $signed = hash_equals($expected, $given[$name] ?? '') || $signed;
            }
        }
        if (!$signed) {
            throw new WebhookVerificationException('signature', 'no signature fits a secret');
        }
        $event = json_decode($body, true);
        if (!is_array($event) || !isset($event['event_type'])) {
            throw new WebhookVerificationException('body', 'the body is not an event');
        }
        return $event;
    }
}
