import { Random } from '../../kit/random.js';
import { instant, type Instant, type Milliseconds } from '../../../src/kernel/time.js';
import { StepQueue, type Step } from './step-queue.js';
import { Trace } from './trace.js';

/** The first moment of every run. */
export const EPOCH_MS: Milliseconds = Date.UTC(2026, 0, 5, 8);

/** The real one: `replaceGlobals` replaces that of the program. */
const realImmediate = setImmediate;
const turn = () => new Promise<void>((resolve) => realImmediate(resolve));
/** Node settles promises between two immediates; that costs less than a turn of its event loop for each step. */
const STEPS_IN_A_TURN = 64;
const isReadingFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/**
 * Owns time, order and chance of a run. Whatever happens later or elsewhere (a timer, a message, an answer, a crash) is
 * a step; the seed decides how long each takes, so it decides their order.
 */
export class Simulator {
  readonly random: Random;
  readonly trace = new Trace();
  /** Since the start of the run; has fractions. */
  now: Milliseconds = 0;
  steps = 0;
  /** Real files are read and written between two steps. */
  hasFiles = false;
  private readonly queue = new StepQueue();
  private failure: Error | undefined;
  private ids = 0;
  private system = { step: -1, random: new Random(0) };

  constructor(readonly seed: number) {
    this.random = new Random(seed);
  }

  /** Chance of libraries, from the seed and the step alone: what one draws only the first time shifts nothing. */
  get systemRandom(): Random {
    const { steps: step, seed } = this;
    if (this.system.step !== step)
      this.system = { step, random: new Random(Math.imul(seed, 0x9e3779b1) ^ step) };
    return this.system.random;
  }

  /** Time of the stores and of the world; clocks of programs may differ. */
  get instant(): Instant {
    return instant(Math.floor(EPOCH_MS + this.now));
  }

  /** @param label of the trace; empty: the step itself is left out of it */
  after(delay: Milliseconds, label: string, run: () => unknown): Step {
    const step = { at: this.now + Math.max(0, delay), order: 0, label, run, isCancelled: false };
    this.queue.push(step);
    return step;
  }

  sleep(delay: Milliseconds, label = ''): Promise<void> {
    return new Promise((resolve) => void this.after(delay, label, resolve));
  }

  /** Ends the run; the first failure counts. */
  fail(error: Error): void {
    this.failure ??= error;
  }

  /** Takes steps until the time or the number of steps is reached, or `isDone`. @throws the failure of the run */
  async run(until: Milliseconds, isDone: () => boolean = () => false, maxSteps = Infinity): Promise<void> {
    const take = () => !this.failure && !isDone() && this.steps < maxSteps && this.step(until);
    await this.settled();
    while (await this.turn(take));
    if (this.failure) throw this.failure;
    if (!isDone() && this.steps < maxSteps) this.now = Math.max(this.now, until);
  }

  /** Takes some steps; before each, every promise settles that can. Resolves to false after the last one. */
  private async turn(take: () => boolean): Promise<boolean> {
    let hasMore = true;
    const takeNext = () => (hasMore &&= take());
    for (let n = this.hasFiles ? 1 : STEPS_IN_A_TURN; n > 0; n--) realImmediate(takeNext);
    await this.settled();
    return hasMore;
  }

  /** False if none is due. */
  private step(until: Milliseconds): boolean {
    const next = this.queue.next(until);
    if (!next) return false;
    this.now = next.at;
    this.steps++;
    if (next.label !== '') this.trace.add(this.now, next.label);
    try {
      next.run();
    } catch (error) {
      this.fail(error as Error);
    }
    return true;
  }

  /** Lets every promise that can settle do so: nothing in the process waits for anything but a step, or a file. */
  private async settled(): Promise<void> {
    do await turn();
    while (this.hasFiles && isReadingFiles());
  }

  /** The value of a promise that needs steps. */
  async value<T>(promise: Promise<T>, within: Milliseconds): Promise<T> {
    let outcome: { readonly value: T } | undefined;
    promise.then(
      (value) => (outcome = { value }),
      (error: unknown) => this.fail(error as Error),
    );
    await this.run(this.now + within, () => outcome !== undefined);
    if (!outcome) throw new Error('the promise is still pending');
    return outcome.value;
  }

  /** UUID version 7 at the time of the run. */
  uuid(ms: Milliseconds = EPOCH_MS + this.now): string {
    const time = Math.floor(ms).toString(16).padStart(12, '0');
    const count = (this.ids++ % 0x1000).toString(16).padStart(3, '0');
    const bits = this.random.bits().toString(16).padStart(8, '0');
    const more = this.random.bits().toString(16).padStart(8, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-8${bits.slice(0, 3)}-${bits.slice(3)}${more.slice(0, 7)}`;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.random.bits() & 0xff);
  }
}
