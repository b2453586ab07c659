<?php

declare(strict_types=1);

namespace RemotePrinting;

final class Submitted
{
    /**
     * @param array<string, mixed> $job
     * @param bool $replayed whether an earlier request with the same key did it
     * @param string|null $restoredFrom for 24 hours after a restore of the service: the time of the backup (README.md)
     */
    public function __construct(
        public readonly array $job,
        public readonly bool $replayed,
        public readonly ?string $restoredFrom = null,
    ) {
    }
}
