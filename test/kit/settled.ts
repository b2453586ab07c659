import type { Milliseconds } from '../../src/kernel/time.js';
import type { ManualClock } from './manual-clock.js';

/** Runs all pending promise callbacks and immediates. */
export async function settled(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

/** Advances the clock in steps and lets due callbacks finish after each. */
export async function passing(clock: ManualClock, ms: Milliseconds, step: Milliseconds = 100): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(Math.min(step, ms - passed));
    await settled(4);
  }
  await settled();
}
