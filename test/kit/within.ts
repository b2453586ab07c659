import { setImmediate } from 'node:timers/promises';

/** Asks again and again until it is so; fails after a second of real time, which is what decisions.md 2 allows. */
export async function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 1_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('not so after a second');
    await setImmediate();
  }
}
