import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Simulator } from '../engine/simulator.js';

export interface SpoolerJob {
  readonly number: number;
  readonly document: string;
  /** Ends then, unless the spooler restarts before. */
  readonly endsAt: Milliseconds;
  readonly end: 'completed' | 'aborted' | 'cancelled';
  readonly hasStarted: boolean;
}

export interface SpoolerHabits {
  readonly longestMs: Milliseconds;
  readonly aborts: number;
  readonly cancels: number;
}

/** The spooler of one computer. It survives its Agent, and forgets jobs when it restarts. */
export class Spooler {
  epoch = 1;
  private numbers = 0;
  private readonly jobs = new Map<string, SpoolerJob>();

  constructor(
    private readonly sim: Simulator,
    private readonly habits: SpoolerHabits,
    private readonly onDocument: (document: string) => void,
  ) {}

  submit(document: string): SpoolerJob {
    const { random, now } = this.sim;
    const { aborts, cancels, longestMs } = this.habits;
    const end: SpoolerJob['end'] = random.chance(aborts)
      ? 'aborted'
      : random.chance(cancels)
        ? 'cancelled'
        : 'completed';
    const job: SpoolerJob = {
      ...{ document, end, number: ++this.numbers, hasStarted: random.chance(0.5) },
      endsAt: now + random.next() * longestMs,
    };
    this.jobs.set(document, job);
    this.onDocument(document);
    return job;
  }

  find(document: string): SpoolerJob | undefined {
    return this.jobs.get(document);
  }

  /** What its Agent reports about a document that it handed off in this epoch; undefined until it has ended. */
  endOf(document: string, epoch: number): readonly [type: string, details: object] | undefined {
    const failure_class = 'ambiguous';
    const job = this.find(document);
    if (!job) {
      const failure_code = epoch === this.epoch ? 'SPOOLER_VANISHED' : 'SPOOLER_RESTARTED';
      return ['spooler_vanished', { failure_code, failure_class }];
    }
    if (this.sim.now < job.endsAt) return undefined;
    if (job.end === 'completed') return ['spooler_completed', {}];
    if (job.end === 'cancelled' && !job.hasStarted)
      return ['spooler_cancelled', { failure_class: 'permanent' }];
    return ['spooler_failed', { failure_class, failure_code: 'SPOOLER_ABORTED' }];
  }

  copy(original: Spooler): void {
    this.epoch = original.epoch;
    for (const [document, job] of original.jobs) this.jobs.set(document, job);
  }

  restart(): void {
    this.epoch++;
    this.jobs.clear();
  }
}
