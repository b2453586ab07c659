import { messageOf } from '../../kernel/errors.js';

type Outcome = Pick<Finding, 'verdict' | 'found'>;

export const ok = (found: string): Outcome => ({ verdict: 'ok', found });
export const warn = (found: string): Outcome => ({ verdict: 'warn', found });
export const fail = (found: string): Outcome => ({ verdict: 'fail', found });

/** An error becomes a failed finding. */
export async function runCheck(what: string, check: () => Outcome | Promise<Outcome>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, ...fail(messageOf(error).split('\n')[0]!) };
  }
}

/** @param started of `performance.now()` */
export const took = (started: number) => `${(performance.now() - started).toFixed(1)} ms`;

/** Smaller differences of clocks are not reported. */
const NOTABLE_MS = 1_000;
const TOO_FAR_MS = 60_000;

/** @param theirs epoch milliseconds, read between `before` and `after` */
export function clockFinding(theirs: number, before: number, after: number): Outcome {
  const off = theirs < before ? theirs - before : Math.max(0, theirs - after);
  const far = Math.abs(off);
  if (far < NOTABLE_MS) return ok(`within ${Math.ceil(far + (after - before))} ms of ours`);
  const found = `${(far / 1000).toFixed(1)} s ${off < 0 ? 'behind' : 'ahead of'} ours: is NTP running?`;
  return far < TOO_FAR_MS ? warn(found) : fail(found);
}

export function versionFinding(
  text: string,
  known: { readonly atLeast: readonly [number, number]; readonly below: readonly [number, number] },
): Outcome {
  const [major = NaN, minor = NaN] = text.split('.').map((part) => Number.parseInt(part, 10));
  if (Number.isNaN(major) || Number.isNaN(minor))
    return warn(`${text || 'no version told'}: cannot be judged`);
  const compared = (to: readonly [number, number]) => major - to[0] || minor - to[1];
  if (compared(known.atLeast) < 0)
    return fail(`${text}, and ${known.atLeast.join('.')} is the oldest that will do`);
  if (compared(known.below) >= 0) return warn(`${text} is newer than this release knows`);
  return ok(text);
}

export interface Finding {
  /** `warn`: works, but needs attention. `fail`: the service would not work. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly found: string;
}

export type HealthCheck = AsyncIterable<Finding>;
