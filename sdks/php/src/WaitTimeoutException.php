<?php

declare(strict_types=1);

namespace RemotePrinting;

/** The time of `wait` is over and the job has not ended. */
final class WaitTimeoutException extends RemotePrintingException
{
    /** @param array<string, mixed> $job as last seen */
    public function __construct(public readonly array $job, int $attempts)
    {
        parent::__construct('the job has not ended', true, $attempts);
    }
}
