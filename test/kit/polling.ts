import { setTimeout as pause } from 'node:timers/promises';

export { pause };

/** Leaves the processor to the tested work. */
const PAUSE_MS = 20;
/** Far above any normal duration. */
const SOON_MS = 15_000;
const EVENTUALLY_MS = 90_000;

/**
 * Polls until `look` returns a value, and resolves to it.
 * @throws after `ms` of real time, naming the awaited value
 */
export async function until<T>(
  what: string | (() => string),
  ms: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) {
      throw new Error(`waited ${ms} ms in vain for ${typeof what === 'string' ? what : what()}`);
    }
    await pause(PAUSE_MS);
  }
}

export function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  return until(what, EVENTUALLY_MS, look);
}

export async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const what = () => isSo.toString();
  await until(what, ms, async () => (await isSo()) || undefined);
}

export function soon(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return within(SOON_MS, isSo);
}

/** A revoked key must stop working within a second. */
export function withinASecond(isSo: () => Promise<boolean>): Promise<void> {
  return within(1_000, isSo);
}
