<?php

declare(strict_types=1);

namespace RemotePrinting;

/** The service refused the call. */
final class ApiException extends RemotePrintingException
{
    public readonly string $errorCode;
    public readonly ?string $requestId;
    public readonly ?string $correlationId;

    /**
     * @param array<string, mixed> $body with code, message and retryable
     * @param float $retryAfter seconds that the service asks to wait
     */
    public function __construct(
        public readonly int $status,
        array $body,
        int $attempts,
        ?string $idempotencyKey,
        public readonly float $retryAfter,
    ) {
        $message = "{$body['code']}: " . ($body['message'] ?? '');
        parent::__construct($message, $body['retryable'], $attempts, $idempotencyKey);
        $this->errorCode = $body['code'];
        $this->requestId = $body['request_id'] ?? null;
        $this->correlationId = $body['correlation_id'] ?? null;
    }
}
