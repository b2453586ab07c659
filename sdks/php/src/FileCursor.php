<?php

declare(strict_types=1);

namespace RemotePrinting;

/** A cursor in a file, which is replaced as a whole. */
final class FileCursor implements CursorStore
{
    public function __construct(private readonly string $path)
    {
    }

    public function load(): ?string
    {
        $text = is_file($this->path) ? file_get_contents($this->path) : '';
        if ($text === false) {
            throw new \RuntimeException("{$this->path} cannot be read");
        }
        return trim($text) === '' ? null : trim($text);
    }

    public function save(string $cursor): void
    {
        $new = "{$this->path}.new";
        if (file_put_contents($new, $cursor) !== strlen($cursor) || !rename($new, $this->path)) {
            throw new \RuntimeException("{$this->path} cannot be written");
        }
    }
}
