import { setImmediate } from 'node:timers/promises';

/** Asks again and again until it is so; fails after so many milliseconds of real time. */
export async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${ms} ms`);
    await setImmediate();
  }
}

/** A second is what decisions.md 2 allows. */
export function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  return within(1_000, isSo);
}
