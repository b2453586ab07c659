import { isUtf8 } from 'node:buffer';
import { DecodedContent, decodeContent } from './content.js';
import { guardJson } from './json-guard.js';

/** A body as received, and whether its print content is to be decoded. */
export interface RawBody {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly carriesContent: boolean;
}

export type ReadBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly rule: string };

/**
 * Parses bytes into a checked JSON value, on the main thread or in a worker. `content.data` of a body with
 * content becomes a `DecodedContent`.
 */
export function readBody({ chunks, carriesContent }: RawBody): ReadBody {
  const bytes = chunks.length === 1 ? view(chunks[0]!) : Buffer.concat(chunks);
  if (bytes.byteLength === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return refused('the body must be valid UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refused('the body must not begin with a byte order mark');
  }
  const text = bytes.toString('utf8');
  const rule = guardJson(text);
  if (rule !== undefined) return refused(rule);
  try {
    const value: unknown = JSON.parse(text);
    if (carriesContent) decodeIn(value);
    return { ok: true, value };
  } catch {
    return refused('the body must be valid JSON');
  }
}

/** The print content object of a body, if it has that shape. */
export function contentOf(body: unknown): Record<string, unknown> | undefined {
  const content = isObject(body) ? body['content'] : undefined;
  return isObject(content) ? content : undefined;
}

function decodeIn(body: unknown): void {
  const content = contentOf(body);
  if (!content) return;
  const decoded = decodeContent(content['data'], content['encoding']);
  if (decoded) content['data'] = decoded;
}

export function revive({ bytes, sha256, size, problem }: DecodedContent): DecodedContent {
  return new DecodedContent(bytes, sha256, size, problem);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (rule: string): ReadBody => ({ ok: false, rule });
const view = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
