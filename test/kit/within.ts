import { setTimeout as pause } from 'node:timers/promises';

/** Long enough to be noticed at once, short enough to leave the processor to what is waited for. */
const PAUSE_MS = 2;
/** Bounds what a test waits for; far more than it takes. */
const SOON_MS = 15_000;

/** Asks again and again until it is so; fails after so many milliseconds of real time. */
export async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${ms} ms`);
    await pause(PAUSE_MS);
  }
}

export function soon(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return within(SOON_MS, isSo);
}

/** A revoked key must stop working within a second. */
export function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  return within(1_000, isSo);
}
