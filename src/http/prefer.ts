/** The longest wait for a change, in seconds: below what proxies cut off. */
export const MAX_WAIT_SECONDS = 25;

const WAIT = /^wait=(\d{1,9})$/i;

/**
 * Seconds that `Prefer: wait=N` (RFC 7240) asks for; more than we grant is cut, and what is not understood is no
 * preference.
 */
export function waitSeconds(prefer: string | undefined): number | undefined {
  const preferences = prefer?.split(',').map((each) => each.split(';')[0]!.replace(/\s/g, '')) ?? [];
  const wait = preferences.map((each) => WAIT.exec(each)?.[1]).find((digits) => digits !== undefined);
  if (wait === undefined || Number(wait) === 0) return undefined;
  return Math.min(MAX_WAIT_SECONDS, Number(wait));
}
