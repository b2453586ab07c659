<?php

declare(strict_types=1);

namespace RemotePrinting;

/** The delivery did not come from the service, is too old, or is damaged: answer 400 and do nothing. */
final class WebhookVerificationException extends \RuntimeException
{
    /** @param string $reason missing_header, stale, signature or body */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
