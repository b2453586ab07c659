import type { Milliseconds } from '../../src/kernel/time.js';
import type { ManualClock } from './manual-clock.js';

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

/** Time goes on step by step, and what comes due has its turn before the next. */
export async function passing(clock: ManualClock, ms: Milliseconds, step: Milliseconds = 100): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(Math.min(step, ms - passed));
    await settled(4);
  }
  await settled();
}
