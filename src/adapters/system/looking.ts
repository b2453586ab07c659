import type { Finding } from '../../ports/checkup.js';

type Judged = Pick<Finding, 'verdict' | 'found'>;

export const ok = (found: string): Judged => ({ verdict: 'ok', found });
export const warn = (found: string): Judged => ({ verdict: 'warn', found });
export const fail = (found: string): Judged => ({ verdict: 'fail', found });

/** Looks at one thing; that it cannot be looked at is a finding too. */
export async function look(what: string, at: () => Judged | Promise<Judged>): Promise<Finding> {
  try {
    return { what, ...(await at()) };
  } catch (error) {
    return { what, ...fail(messageOf(error)) };
  }
}

/** Clocks may differ by seconds, but whoever reads times of both wants to know. */
const NOTED_MS = 1_000;
const TOO_FAR_MS = 60_000;

/**
 * How far a clock is from ours.
 * @param theirs what it showed at some moment between `before` and `after` of ours; all in epoch milliseconds
 */
export function clockFinding(theirs: number, before: number, after: number): Judged {
  const off = theirs < before ? theirs - before : Math.max(0, theirs - after);
  const far = Math.abs(off);
  if (far < NOTED_MS) return ok(`within ${Math.ceil(far + (after - before))} ms of ours`);
  const found = `${(far / 1000).toFixed(1)} s ${off < 0 ? 'behind' : 'ahead of'} ours: is NTP running?`;
  return far < TOO_FAR_MS ? warn(found) : fail(found);
}

/** Compares what a server says of itself with the versions that this release knows. */
export function versionFinding(
  text: string,
  known: { readonly atLeast: readonly [number, number]; readonly below: readonly [number, number] },
): Judged {
  const [major = NaN, minor = NaN] = text.split('.').map((part) => Number.parseInt(part, 10));
  if (Number.isNaN(major) || Number.isNaN(minor))
    return warn(`${text || 'no version told'}: cannot be judged`);
  const compared = (to: readonly [number, number]) => major - to[0] || minor - to[1];
  if (compared(known.atLeast) < 0)
    return fail(`${text}, and ${known.atLeast.join('.')} is the oldest that will do`);
  if (compared(known.below) >= 0) return warn(`${text} is newer than this release knows`);
  return ok(text);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!;
}
