<?php

declare(strict_types=1);

namespace RemotePrinting;

/** No answer, or not one of the service. Whether a write was done is unknown. */
final class NoAnswerException extends RemotePrintingException
{
    /** @param bool $timedOut whether the last attempt took longer than its time limit */
    public function __construct(
        string $message,
        bool $retryable,
        int $attempts,
        ?string $idempotencyKey,
        public readonly bool $timedOut = false,
    ) {
        parent::__construct($message, $retryable, $attempts, $idempotencyKey);
    }
}
