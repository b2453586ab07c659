import { Clock, instant, type Instant, type Milliseconds } from '../../../src/kernel/time.js';
import { Randomness } from '../../../src/kernel/ids.js';
import { EPOCH_MS, type Simulator } from './simulator.js';

/** A program of the world: it starts, and once it has crashed nothing of that run happens any more. */
export class Program {
  isAlive = true;
  private readonly endings = new Set<() => void>();

  constructor(
    readonly sim: Simulator,
    readonly name: string,
    /** Of its wall clock. */
    readonly skew: Milliseconds = 0,
  ) {}

  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.sim.trace.add(this.sim.now, `${this.name} crashes`);
    for (const ended of this.endings) ended();
    this.endings.clear();
  }

  /** Called at the crash. Returns a function that unsubscribes. */
  onCrash(ended: () => void): () => void {
    this.endings.add(ended);
    return () => this.endings.delete(ended);
  }

  /** Never resolves after a crash. */
  sleep(ms: Milliseconds, label = ''): Promise<void> {
    return new Promise((resolve) => void this.sim.after(ms, label, () => this.isAlive && resolve()));
  }

  /** What it waits for arrives, unless it has crashed. */
  live<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => this.isAlive && resolve(value),
        (error: unknown) => this.isAlive && reject(error as Error),
      );
    });
  }
}

export class ProgramClock extends Clock {
  private read = { ms: NaN, text: '' };

  constructor(private readonly program: Program) {
    super();
  }

  now(): Instant {
    const { sim, skew } = this.program;
    const ms = Math.floor(EPOCH_MS + sim.now + skew);
    if (ms !== this.read.ms) this.read = { ms, text: instant(ms) };
    return this.read.text;
  }

  monotonic(): Milliseconds {
    return this.program.sim.now;
  }

  after(delay: Milliseconds, callback: () => void): () => void {
    const { program } = this;
    const step = program.sim.after(delay, '', () => program.isAlive && callback());
    return () => void (step.isCancelled = true);
  }
}

export class ProgramRandomness extends Randomness {
  constructor(private readonly program: Program) {
    super();
  }

  uuid(): string {
    const { sim, skew } = this.program;
    return sim.uuid(EPOCH_MS + sim.now + skew);
  }

  bytes(count: number): Uint8Array {
    return this.program.sim.bytes(count);
  }
}
