<?php

declare(strict_types=1);

namespace RemotePrinting;

/** Keeps a cursor, so that a reader goes on after a restart. */
interface CursorStore
{
    public function load(): ?string;

    public function save(string $cursor): void;
}
