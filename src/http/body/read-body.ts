import { hash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { guardJson } from './json-guard.js';

/** On every plan. */
export const MAX_CONTENT_BYTES = 10_485_760;
/** Of one request. */
export const MAX_JOBS = 100;

type ContentProblem = 'too_large' | 'base64' | 'encoding';

export class DecodedContent {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    readonly sha256: string,
    readonly size: number,
    readonly problem?: ContentProblem,
  ) {}

  static broken(problem: ContentProblem): DecodedContent {
    return new DecodedContent(new Uint8Array(), '', 0, problem);
  }
}

/** Undefined for values that are no text or have an unknown encoding; validation refuses them. */
export function decodeContent(data: unknown, encoding: unknown): DecodedContent | undefined {
  if (typeof data !== 'string') return undefined;
  if (encoding === 'base64') return decodeBase64(data);
  if (encoding === 'utf8') return decodeText(data);
  return DecodedContent.broken('encoding');
}

/**
 * Strict RFC 4648: encode again and compare, because Node accepts violations. A regex would overflow the
 * stack.
 */
function decodeBase64(data: string): DecodedContent {
  if (data.length % 4 !== 0) return DecodedContent.broken('base64');
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const size = (data.length / 4) * 3 - padding;
  if (size > MAX_CONTENT_BYTES) return DecodedContent.broken('too_large');
  const bytes = ownBuffer(data, 'base64', size);
  return bytes.toString('base64') === data ? hashed(bytes) : DecodedContent.broken('base64');
}

function decodeText(data: string): DecodedContent {
  const size = Buffer.byteLength(data, 'utf8');
  return size > MAX_CONTENT_BYTES
    ? DecodedContent.broken('too_large')
    : hashed(ownBuffer(data, 'utf8', size));
}

/** Uses a separate ArrayBuffer, not a slice of Node's pool, because it is transferred between threads. */
function ownBuffer(data: string, encoding: 'base64' | 'utf8', size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  return bytes.subarray(0, bytes.write(data, encoding));
}

function hashed(bytes: Uint8Array<ArrayBuffer>): DecodedContent {
  return new DecodedContent(bytes, hash('sha256', bytes, 'hex'), bytes.byteLength);
}

export interface RawBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly carriesContent: boolean;
}

export type ReadBody =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** By index in `jobs`: the rule of JSON that an item breaks. */
      readonly brokenItems?: ReadonlyMap<number, string>;
    }
  | { readonly ok: false; readonly rule: string };

/** On the main thread or in a worker. `content.data` becomes a `DecodedContent`. */
export function readBody({ bytes: { buffer, byteOffset, byteLength }, carriesContent }: RawBody): ReadBody {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (bytes.byteLength === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return refused('the body must be valid UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refused('the body must not begin with a byte order mark');
  }
  const text = bytes.toString('utf8');
  const brokenItems = carriesContent ? new Map<number, string>() : undefined;
  const rule = guardJson(text, brokenItems);
  if (rule !== undefined) return refused(rule);
  try {
    const value: unknown = JSON.parse(text);
    if (carriesContent) decodeIn(value);
    return { ok: true, value, ...(brokenItems?.size && { brokenItems }) };
  } catch {
    return refused('the body must be valid JSON');
  }
}

/** That of the body, or those of its `jobs`; more jobs than a request may have are refused later. */
export function contentsOf(body: unknown): readonly Record<string, unknown>[] {
  if (!isObject(body)) return [];
  const { jobs } = body;
  const owners: readonly unknown[] = Array.isArray(jobs) ? jobs.slice(0, MAX_JOBS) : [body];
  return owners.map((owner) => (isObject(owner) ? owner['content'] : undefined)).filter(isObject);
}

function decodeIn(body: unknown): void {
  for (const content of contentsOf(body)) {
    const decoded = decodeContent(content['data'], content['encoding']);
    if (decoded) content['data'] = decoded;
  }
}

export function revive({ bytes, sha256, size, problem }: DecodedContent): DecodedContent {
  return new DecodedContent(bytes, sha256, size, problem);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (rule: string): ReadBody => ({ ok: false, rule });
