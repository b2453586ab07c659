<?php

declare(strict_types=1);

namespace RemotePrinting;

/** Any error of a call. None contains the API key. */
abstract class RemotePrintingException extends \RuntimeException
{
    /**
     * @param bool $retryable whether the same call can succeed later without a second effect
     * @param int $attempts requests that were sent
     * @param string|null $idempotencyKey of create, retry and reprint: repeat the call with it, and no second job is made, except after a restore
     */
    public function __construct(
        string $message,
        public readonly bool $retryable,
        public readonly int $attempts,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
