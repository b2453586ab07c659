import { Logger } from '@nestjs/common';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { Faults } from '../../../test/kit/faults.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { MemoryViewStore } from '../../adapters/memory/memory-view-store.js';
import { MemoryViews } from '../../adapters/memory/memory-views.js';
import { InProcessLocks } from '../../adapters/system/in-process-locks.js';
import { SystemRandomness } from '../../adapters/system/system-randomness.js';
import { CorruptEventError, UnavailableError } from '../../ports/event-store.port.js';
import { ViewStore } from '../../ports/view-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import type { JobEvent } from './domain/job.events.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { HeldLeases } from './held-leases.js';
import { makeJobAggregate } from './job.aggregate.js';
import { LeaseJobs } from './lease-jobs.command.js';
import { LeaseJobsHandler } from './lease-jobs.handler.js';

const by = { actor: { kind: 'device', id: the.COMPUTER_ID }, correlationId: 'correlation-1' } as const;
/** So often an append is tried. */
const TRIES = 5;
const jobId = (n: number) => `019aa000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Printers that are ready. */
class ReadyPrinters extends ViewStore {
  constructor(private readonly printerIds: readonly string[]) {
    super();
  }

  async find<D>() {
    const documents = this.printerIds.map(
      (printer_id) => ({ printer_id, computer_id: the.COMPUTER_ID }) as D,
    );
    return { documents, births: this.printerIds };
  }

  async get() {
    return undefined;
  }

  async getMany() {
    return [];
  }

  async count() {
    return 0;
  }
}

/** A computer whose jobs wait, before an event store that may fail and read models that may lag. */
class Queue {
  private readonly views = new MemoryViews([jobViewProjection]);
  readonly log = new LaggingEventStore(this.views);
  readonly events = new Faults(this.log);
  private readonly handler: LeaseJobsHandler;
  private stored = 0;

  constructor(...printerIds: string[]) {
    const job = makeJobAggregate(defaultJobPolicy);
    const randomness = new SystemRandomness();
    const aggregates = new AggregateStore(this.events.port, randomness, {
      shared: true,
      pause: () => Promise.resolve(),
    });
    const jobs = new JobQueries(new MemoryViewStore(this.views));
    this.handler = new LeaseJobsHandler(
      job,
      aggregates,
      randomness,
      new PrinterQueries(new ReadyPrinters(printerIds)),
      jobs,
      new HeldLeases(job, aggregates, this.events.port, jobs),
      new InProcessLocks(),
    );
  }

  /** Jobs from the n-th to the m-th, shown as queued. */
  async shown(first: number, last: number, printerId = the.PRINTER_ID): Promise<void> {
    for (let n = first; n <= last; n++) {
      const data = { ...the.created.data, jobId: jobId(n), printerId };
      await this.append(n, 'no_stream', { type: 'JobCreated', data }, the.queued);
    }
    this.log.catchUp();
  }

  /** What is not shown yet happens to the jobs from the n-th to the m-th. */
  async unshown(first: number, last: number, ...events: JobEvent[]): Promise<void> {
    for (let n = first; n <= last; n++) await this.append(n, 1, ...events);
  }

  /** Numbers of the jobs that a poll is told. */
  async poll(max = 4): Promise<number[]> {
    const command = new LeaseJobs(the.COMPUTER_ID, the.SESSION_ID, max, the.seconds(0), by);
    const { leases } = await this.handler.execute(command);
    return leases.map(({ job }) => Number(job.job_id.slice(-12)));
  }

  /** Numbers of the jobs that are leased, whoever was told. */
  leased(): number[] {
    const leases = this.log.everything().filter(({ type }) => type === 'JobLeased');
    return leases.map(({ stream }) => Number(stream.slice(-12)));
  }

  private async append(n: number, expected: 'no_stream' | number, ...events: JobEvent[]): Promise<void> {
    const metadata = { ...by, at: the.seconds(0), schemaVersion: 1 };
    const fresh = events.map((event) => ({ ...event, id: `event-${++this.stored}`, metadata }));
    await this.log.append({ stream: `job-${jobId(n)}`, expected, events: fresh });
  }
}

const handedOver = [the.leased(), the.accepted(), the.handedOff()];

describe('leasing beside a job whose events cannot be read', () => {
  it('passes it over', async () => {
    Logger.overrideLogger(false);
    const queue = new Queue(the.PRINTER_ID);
    await queue.shown(1, 3);
    queue.events.refuse('load', 1, new CorruptEventError(`job-${jobId(1)}`, 1, '0'));
    expect(await queue.poll()).toEqual([2, 3]);
  });
});

describe('leasing several jobs while the event store fails', () => {
  let queue: Queue;
  beforeEach(async () => {
    queue = new Queue(the.PRINTER_ID);
    await queue.shown(1, 5);
  });

  it('tells what was granted before', async () => {
    queue.events.distort('append', (appended) => {
      queue.events.refuse('append', TRIES, new UnavailableError('down', 'not_written'));
      return appended;
    });
    expect(await queue.poll()).toEqual([1]);
    expect(queue.leased()).toEqual([1]);
    queue.log.catchUp();

    expect(await queue.poll()).toEqual([2, 3, 4]);
  });

  it('fails when nothing was granted', async () => {
    queue.events.refuse('append', TRIES, new UnavailableError('down', 'not_written'));
    await expect(queue.poll()).rejects.toThrow('down');
    expect(queue.leased()).toEqual([]);
  });

  it('never tells a lease of which nobody knows whether it was granted, but counts it', async () => {
    queue.events.distort('append', (appended) => {
      queue.events.loseReply('append');
      queue.events.refuse('append', TRIES - 1);
      return appended;
    });
    expect(await queue.poll()).toEqual([1]);
    expect(queue.leased()).toEqual([1, 2]);

    expect(await queue.poll()).toEqual([3, 4]);
    expect(await queue.poll()).toEqual([]);
  });
});

describe('looking for work while read models lag', () => {
  it('looks behind the jobs that are shown as queued and are not any more', async () => {
    const queue = new Queue(the.PRINTER_ID, 'another printer');
    await queue.shown(1, 60);
    await queue.shown(61, 63, 'another printer');
    await queue.unshown(1, 58, ...handedOver);
    await queue.unshown(61, 62, the.cancelled());
    expect(await queue.poll(2)).toEqual([63, 59]);
    expect(await queue.poll()).toEqual([60]);
  });

  it('keeps the order of each printer', async () => {
    const queue = new Queue(the.PRINTER_ID);
    await queue.shown(1, 9);
    await queue.unshown(2, 5, ...handedOver);
    expect(await queue.poll()).toEqual([1, 6, 7, 8]);
  });

  it('does not look without end', async () => {
    const queue = new Queue(the.PRINTER_ID);
    await queue.shown(1, 900);
    await queue.unshown(1, 900, the.cancelled());
    expect(await queue.poll(1)).toEqual([]);
    expect(queue.events.calls('load')).toBeLessThan(600);
  });
});
