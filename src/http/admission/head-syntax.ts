import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { shown } from '../validation/read-input.js';

export const MAX_HEADERS = 100;

/** A second one could make a proxy in front read a different request. */
const FRAMING = new Set(['host', 'content-length', 'transfer-encoding', 'authorization']);

const SINGLE = new Set([
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-correlation-id',
  'if-match',
  'range',
  'expect',
]);

export interface Repetition {
  readonly name: string;
  readonly framing: boolean;
}

/** Framing headers first; Node silently keeps the first value. */
export function repeatedHeader({ headers, rawHeaders }: IncomingMessage): Repetition | undefined {
  const hasDuplicates = Object.keys(headers).length * 2 < rawHeaders.length;
  return hasDuplicates ? firstRepetition(rawHeaders) : undefined;
}

function firstRepetition(rawHeaders: readonly string[]): Repetition | undefined {
  let seen: Set<string> | undefined;
  let found: Repetition | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const framing = FRAMING.has(name);
    if (!framing && !SINGLE.has(name)) continue;
    if (!seen) seen = new Set([name]);
    else if (!seen.has(name)) seen.add(name);
    else if (framing || !found) found = { name, framing };
    if (found?.framing) return found;
  }
  return found;
}

const NOTHING_ENCODED = /^[!-$&-~]*$/;
const ASCII = /^[!-~]*$/;

/** Fastify would keep a broken percent sequence (RFC 3986, 2.1) as text. @throws ApiError 400 */
export function refuseMalformedQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || NOTHING_ENCODED.test(url)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    if (isPercentEncodedUtf8(pair)) continue;
    const name = shown(pair.split('=', 1)[0]!);
    throw new ApiError('malformed', `The query parameter ${name} must be percent-encoded UTF-8.`);
  }
}

function isPercentEncodedUtf8(text: string): boolean {
  if (!ASCII.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
