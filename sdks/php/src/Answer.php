<?php

declare(strict_types=1);

namespace RemotePrinting;

/** @internal */
final class Answer
{
    /**
     * @param array<string, string> $headers names in lower case
     * @param mixed $data null for a 304
     */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly mixed $data)
    {
    }
}
