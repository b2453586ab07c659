/** More headers than this are no honest request. */
export const MAX_HEADERS = 100;

/** Two of these and the request means two things at once, to us or to a proxy before us. */
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

/** The first single-value header that stands twice; Node keeps the first and drops the rest in silence. */
export function repeatedHeader(rawHeaders: readonly string[]): Repetition | undefined {
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
