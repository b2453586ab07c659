import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Random } from '../../kit/random.js';
import type { Step } from './step-queue.js';
import { EPOCH_MS, type Simulator } from './simulator.js';

type Callback = (...args: unknown[]) => void;

/** What `setTimeout` answers, as far as programs use it. */
class SimulatedTimer {
  step: Step | undefined;

  constructor(private readonly plan: () => Step) {
    this.refresh();
  }

  refresh(): this {
    if (this.step) this.step.isCancelled = true;
    this.step = this.plan();
    return this;
  }

  close(): void {
    if (this.step) this.step.isCancelled = true;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

const clear = (timer?: SimulatedTimer) => timer?.close?.();

/**
 * Time, timers and chance of the whole process become the simulator's, for the rest of the process: modules that read
 * the system's are the product's own adapters, and those of libraries.
 */
export function replaceGlobals(current: () => Simulator): void {
  const timer = (ms: number, run: () => void) =>
    new SimulatedTimer(() => current().after(Number.isFinite(ms) ? ms : 0, '', run));
  const every = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const again: SimulatedTimer = timer(Math.max(1, ms), () => {
      again.refresh();
      callback(...args);
    });
    return again;
  };
  Object.assign(globalThis, {
    setTimeout: (callback: Callback, ms = 0, ...args: unknown[]) => timer(ms, () => callback(...args)),
    setInterval: every,
    setImmediate: (callback: Callback, ...args: unknown[]) => timer(0, () => callback(...args)),
    ...{ clearTimeout: clear, clearInterval: clear, clearImmediate: clear },
    Date: simulatedDate(current),
  });
  performance.now = () => current().now;
  Math.random = () => current().systemRandom.next();
  replaceModules(current, timer);
}

function replaceModules(
  current: () => Simulator,
  timer: (ms: number, run: () => void) => SimulatedTimer,
): void {
  const later = <T>(ms: number, value: T, signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const abort = () => {
        clear(waiting);
        reject(new DOMException('The operation was aborted', 'AbortError'));
      };
      const waiting = timer(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  Object.assign(timers, {
    setTimeout: (ms = 0, value?: unknown, options?: { signal?: AbortSignal }) =>
      later(ms, value, options?.signal),
    setImmediate: (value?: unknown, options?: { signal?: AbortSignal }) => later(0, value, options?.signal),
  });
  Object.assign(crypto, {
    randomUUID: () => systemUuid(current().systemRandom),
    randomBytes: (count: number) =>
      Buffer.from(Array.from({ length: count }, () => current().systemRandom.bits() & 0xff)),
  });
  syncBuiltinESMExports();
}

function systemUuid(random: Random): string {
  const digits = Array.from({ length: 4 }, () => random.bits().toString(16).padStart(8, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function simulatedDate(current: () => Simulator): DateConstructor {
  const Real = Date;
  const now = () => Math.floor(EPOCH_MS + current().now);
  class SimulatedDate extends Real {
    constructor(...given: ConstructorParameters<DateConstructor> | []) {
      if (given.length === 0) super(now());
      else if (given.length === 1) super(given[0]);
      else super(...(given as [string]));
    }

    static override now(): number {
      return now();
    }
  }
  return SimulatedDate as DateConstructor;
}
