<?php

declare(strict_types=1);

namespace RemotePrinting;

/** Documents as the API takes them. */
final class Content
{
    /** @return array{type: string, encoding: string, data: string} of a whole PDF file */
    public static function pdf(string $bytes): array
    {
        return ['type' => 'pdf', 'encoding' => 'base64', 'data' => base64_encode($bytes)];
    }

    /** @return array{type: string, encoding: string, data: string} of bytes that the printer understands itself */
    public static function raw(string $bytes): array
    {
        return ['type' => 'raw', 'encoding' => 'base64', 'data' => base64_encode($bytes)];
    }

    /** @return array{type: string, encoding: string, data: string} of UTF-8, which the service encodes for the printer */
    public static function text(string $text): array
    {
        return ['type' => 'text', 'encoding' => 'utf8', 'data' => $text];
    }
}
