<?php

declare(strict_types=1);

namespace RemotePrinting;

final class Submitted
{
    /**
     * @param array<string, mixed> $job
     * @param bool $replayed whether an earlier request with the same key did it
     */
    public function __construct(public readonly array $job, public readonly bool $replayed)
    {
    }
}
