import { mock } from 'node:test';
import type { Milliseconds } from '../../src/kernel/time.js';

/** In the tests of a describe, `setTimeout` and the monotonic clock of deadlines advance only by the result. */
export function manualTime(): (ms: Milliseconds) => void {
  let now = 0;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  return (ms) => {
    now += ms;
    mock.timers.tick(ms);
  };
}
