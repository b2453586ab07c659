import { createHash } from 'node:crypto';

/** Maximum size of decoded print content on every plan. */
export const MAX_CONTENT_BYTES = 10_485_760;

type ContentProblem = 'too_large' | 'base64' | 'encoding';

/** `content.data` after the body was read: the bytes, or the problem. */
export class DecodedContent {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    /** 64 lower-case hex characters. */
    readonly sha256: string,
    readonly size: number,
    readonly problem?: ContentProblem,
  ) {}

  static broken(problem: ContentProblem): DecodedContent {
    return new DecodedContent(new Uint8Array(), '', 0, problem);
  }
}

/** Decodes content and hashes it. Validation refuses values that are no text or have an unknown encoding. */
export function decodeContent(data: unknown, encoding: unknown): DecodedContent | undefined {
  if (typeof data !== 'string') return undefined;
  if (encoding === 'base64') return decodeBase64(data);
  if (encoding === 'utf8') return decodeText(data);
  return DecodedContent.broken('encoding');
}

/**
 * Strict RFC 4648: alphabet, padding, no white space, zero trailing bits. Node's decoder accepts violations, so
 * the result is encoded again and compared; a grouped regex would overflow the stack at 14 MB.
 */
function decodeBase64(data: string): DecodedContent {
  if (data.length % 4 !== 0) return DecodedContent.broken('base64');
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  if ((data.length / 4) * 3 - padding > MAX_CONTENT_BYTES) return DecodedContent.broken('too_large');
  const bytes = ownBuffer(data, 'base64');
  return Buffer.from(bytes.buffer).toString('base64') === data
    ? hashed(bytes)
    : DecodedContent.broken('base64');
}

function decodeText(data: string): DecodedContent {
  if (Buffer.byteLength(data, 'utf8') > MAX_CONTENT_BYTES) return DecodedContent.broken('too_large');
  return hashed(ownBuffer(data, 'utf8'));
}

/** Uses a separate ArrayBuffer, not a slice of Node's pool, because it is transferred between threads. */
function ownBuffer(data: string, encoding: 'base64' | 'utf8'): Uint8Array<ArrayBuffer> {
  const decoded = Buffer.from(data, encoding);
  return decoded.byteLength === decoded.buffer.byteLength
    ? (decoded as Uint8Array<ArrayBuffer>)
    : new Uint8Array(decoded);
}

function hashed(bytes: Uint8Array<ArrayBuffer>): DecodedContent {
  return new DecodedContent(bytes, createHash('sha256').update(bytes).digest('hex'), bytes.byteLength);
}
