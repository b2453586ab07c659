<?php

declare(strict_types=1);

namespace RemotePrinting;

final class Ended
{
    /**
     * @param string $outcome completed, failed, cancelled, expired, or needs_decision: a person must look at the printer first
     * @param array<string, mixed> $job
     */
    public function __construct(public readonly string $outcome, public readonly array $job)
    {
    }
}
