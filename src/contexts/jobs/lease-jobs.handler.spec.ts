import { Logger } from '@nestjs/common';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import * as account from '../../../test/kit/examples/accounts.js';
import * as pc from '../../../test/kit/examples/devices.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { Faults } from '../../../test/kit/faults.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { InProcessLocks } from '../../event-sourcing/embedded/embedded-stores.js';
import type { Locks } from '../../event-sourcing/index.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import type { DomainEvent } from '../../kernel/recorded-event.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import type { ComputerEventData } from '../devices/index.js';
import type { JobEvent } from './domain/job.events.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { HeldLeases, Limits } from './limits.js';
import { makeJobAggregate } from './job.aggregate.js';
import { LeaseJobs } from './coordinated.commands.js';
import { LeaseJobsHandler } from './lease-jobs.handler.js';
import { TestViews } from '../../../test/kit/views.js';
import { CorruptEventError, UnavailableError } from '../../kernel/errors.js';

const by = { actor: { kind: 'device', id: the.COMPUTER_ID }, correlationId: 'correlation-1' } as const;
/** Attempts of one append before its deadline. */
const TRIES = 5;
const giveUpAfterTries = async (failures: number) => {
  if (failures >= TRIES) throw new UnavailableError('the deadline has passed', 'not_written');
};
const jobId = (n: number) => `019aa000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A computer with queued jobs, an event store that may fail, and a list that may lag. */
class Queue {
  private readonly views = new TestViews([jobViewProjection]);
  readonly log = new LaggingEventStore(this.views);
  readonly events = new Faults(this.log);
  readonly locks = new Faults<Locks>(new InProcessLocks());
  private readonly lists = new ViewJobLists(this.views.store);
  private readonly handler: LeaseJobsHandler;
  private stored = 0;

  /** A computer with these printers, all of them online. */
  static async of(...printerIds: string[]): Promise<Queue> {
    const queue = new Queue();
    const events = printerIds.flatMap((printerId) => [
      pc.detected(1, { printerId, printerKey: printerId }),
      { type: 'PrinterCameOnline', data: { printerId, previousStatus: 'offline', reportedOnline: true } },
    ]);
    await queue.store(account.ACCOUNT_STREAM, 'no_stream', account.opened);
    const started = pc.sessionStarted({ sessionId: the.SESSION_ID });
    await queue.store(pc.COMPUTER_STREAM, 'no_stream', pc.registered, ...events, started);
    return queue;
  }

  private constructor() {
    const job = makeJobAggregate(defaultJobPolicy);
    const randomness = new SystemRandomness();
    const aggregates = new AggregateStore(this.events.port, randomness, {
      shared: true,
      pause: giveUpAfterTries,
    });
    const { lists } = this;
    const held = new HeldLeases(job, aggregates, this.events.port, lists);
    const limits = new Limits(this.locks.port, this.events.port, lists, held);
    this.handler = new LeaseJobsHandler(job, aggregates, randomness, lists, limits);
  }

  /** A computer with one printer and a session of these features. */
  static async withFeatures(...features: string[]): Promise<Queue> {
    const queue = await Queue.of(the.PRINTER_ID);
    await queue.store(pc.COMPUTER_STREAM, 3, pc.sessionStarted({ sessionId: the.SESSION_ID, features }));
    return queue;
  }

  /** Changes the printer of `withFeatures`. */
  update(changes: ComputerEventData['PrinterUpdated']['changes']): Promise<void> {
    const data = { printerId: the.PRINTER_ID, changes };
    return this.store(pc.COMPUTER_STREAM, 4, { type: 'PrinterUpdated', data });
  }

  /** Creates jobs `first` to `last`, which the list shows as queued. */
  async shown(first: number, last: number, printerId = the.PRINTER_ID, more: object = {}): Promise<void> {
    for (let n = first; n <= last; n++) {
      const data = { ...the.created.data, jobId: jobId(n), printerId, ...more };
      await this.append(n, 'no_stream', { type: 'JobCreated', data }, the.queued);
    }
    this.log.catchUp();
  }

  /** As if a release that knows no options kept the list. */
  projectedByOlderRelease(): void {
    const read = this.lists.queuedOfPrinter.bind(this.lists);
    this.lists.queuedOfPrinter = async (printerId, page) => {
      const { jobs, next } = await read(printerId, page);
      return { jobs: jobs.map(({ options: _, ...job }) => job), next };
    };
  }

  /** Appends events to jobs `first` to `last` that the list does not show yet. */
  async unprojected(first: number, last: number, ...events: JobEvent[]): Promise<void> {
    for (let n = first; n <= last; n++) await this.append(n, 1, ...events);
  }

  /** Numbers of the jobs whose leases a poll returns. */
  async poll(max = 4, ...busy: string[]): Promise<number[]> {
    const leases = await this.lease(max, busy);
    return leases.map(({ job }) => Number(job.jobId.slice(-12)));
  }

  async lease(max = 4, busy: string[] = [], sessionId: string = the.SESSION_ID) {
    const command = new LeaseJobs({
      computerId: the.COMPUTER_ID,
      sessionId,
      max,
      busy,
      at: the.seconds(0),
      by,
    });
    const { leases } = await this.handler.execute(command);
    return leases;
  }

  /** Numbers of the jobs that are leased, returned or not. */
  leased(): number[] {
    const leases = this.log.everything().filter(({ type }) => type === 'JobLeased');
    return leases.map(({ stream }) => Number(stream.slice(-12)));
  }

  async suspendAccount(): Promise<void> {
    await this.store(account.ACCOUNT_STREAM, 0, account.suspended);
  }

  private append(n: number, expected: 'no_stream' | number, ...events: JobEvent[]): Promise<void> {
    return this.store(`job-${jobId(n)}`, expected, ...events);
  }

  private async store(stream: string, expected: 'no_stream' | number, ...events: DomainEvent[]) {
    const metadata = { ...by, at: the.seconds(0), schemaVersion: 1 };
    const fresh = events.map((event) => ({ ...event, id: `event-${++this.stored}`, metadata }));
    await this.log.append({ stream, expected, events: fresh });
  }
}

const handedOver = [the.leased(), the.accepted(), the.handedOff()];

describe('leasing while the events of one job cannot be read', () => {
  it('skips that job', async () => {
    Logger.overrideLogger(false);
    const queue = await Queue.of(the.PRINTER_ID);
    await queue.shown(1, 3);
    // The loads of a poll: the computer, again under the lock, its account, then each job.
    for (let n = 0; n < 2; n++) queue.events.distort('load', (loaded) => loaded);
    queue.events.distort('load', (ofAccount) => {
      queue.events.refuse('load', 1, new CorruptEventError(`job-${jobId(1)}`, 1, '0'));
      return ofAccount;
    });
    expect(await queue.poll()).toEqual([2, 3]);
  });
});

describe('leasing without a job', () => {
  it('takes no lock, also for a printer that is busy', async () => {
    const queue = await Queue.of(the.PRINTER_ID);
    expect(await queue.poll()).toEqual([]);
    await queue.shown(1, 1);
    expect(await queue.poll(4, the.PRINTER_ID)).toEqual([]);
    expect(queue.locks.calls('run')).toBe(0);
    expect(await queue.poll()).toEqual([1]);

    expect(queue.locks.calls('run')).toBe(1);
  });
});

describe('leasing for a suspended account', () => {
  it('grants nothing, even if no view shows the suspension', async () => {
    const queue = await Queue.of(the.PRINTER_ID);
    await queue.shown(1, 2);
    await queue.suspendAccount();
    expect(await queue.poll()).toEqual([]);
    expect(queue.leased()).toEqual([]);
  });
});

describe('leasing several jobs while the event store fails', () => {
  let queue: Queue;
  beforeEach(async () => {
    queue = await Queue.of(the.PRINTER_ID);
    await queue.shown(1, 5);
  });

  it('returns the leases granted before the failure', async () => {
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
    await expect(queue.poll()).rejects.toThrow(UnavailableError);
    expect(queue.leased()).toEqual([]);
  });

  it('counts a lease whose grant is uncertain, but does not return it', async () => {
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

describe('leasing for several printers', () => {
  const TILL = 'another printer';
  const [desk, till] = [1, 101];

  it('serves the printers in turn, oldest first within one', async () => {
    const queue = await Queue.of(the.PRINTER_ID, TILL);
    await queue.shown(desk, desk + 9);
    await queue.shown(till, till + 2, TILL);
    expect(await queue.poll(10)).toEqual([1, 101, 2, 102, 3, 103, 4]);
  });

  it('gives one printer at most four leases, and leases the job of another', async () => {
    const queue = await Queue.of(the.PRINTER_ID, TILL);
    await queue.shown(desk, desk + 9);
    expect(await queue.poll(10)).toEqual([1, 2, 3, 4]);
    await queue.shown(till, till, TILL);
    expect(await queue.poll(10)).toEqual([101]);
    expect(await queue.poll(10)).toEqual([]);
  });

  it('gives a computer at most 64 leases', async () => {
    const printers = Array.from({ length: 17 }, (_, n) => `printer ${n}`);
    const queue = await Queue.of(...printers);
    for (const [n, printerId] of printers.entries()) await queue.shown(4 * n + 1, 4 * n + 4, printerId);
    expect(await queue.poll(40)).toHaveLength(40);
    expect(await queue.poll(40)).toHaveLength(24);
    expect(await queue.poll(40)).toEqual([]);
  });

  it('continues with the next printer after a poll that took one job', async () => {
    const queue = await Queue.of(the.PRINTER_ID, TILL);
    await queue.shown(desk, desk + 9);
    await queue.shown(till, till + 9, TILL);
    const polled: number[] = [];
    for (let n = 0; n < 4; n++) polled.push(...(await queue.poll(1)));
    expect(polled).toEqual([1, 101, 2, 102]);
  });

  it('gives nothing to a busy printer', async () => {
    const queue = await Queue.of(the.PRINTER_ID, TILL);
    await queue.shown(desk, desk);
    await queue.shown(till, till, TILL);
    expect(await queue.poll(4, the.PRINTER_ID)).toEqual([101]);
    expect(await queue.poll(4)).toEqual([1]);
  });
});

describe('leasing jobs with options', () => {
  const options = { paper: 'A6', duplex: 'long-edge' };

  it('gives them to a session that knows options', async () => {
    const queue = await Queue.withFeatures('options/1');
    await queue.shown(1, 1, the.PRINTER_ID, { options });
    const [lease] = await queue.lease();
    expect(lease?.job.options).toEqual(options);
  });

  it('passes over them for an older session, however many wait before another job', async () => {
    const queue = await Queue.withFeatures('another/1');
    await queue.shown(1, 300, the.PRINTER_ID, { options });
    await queue.shown(301, 302);
    expect(await queue.poll()).toEqual([301, 302]);
    expect(queue.leased()).toEqual([301, 302]);
  });

  it.each([
    ['gives them to a session that knows options', 'options/1', [options]],
    ['passes over them for an older session', 'another/1', []],
  ])('%s, even if an older release keeps the list', async (_, feature, expected) => {
    const queue = await Queue.withFeatures(feature);
    await queue.shown(1, 1, the.PRINTER_ID, { options });
    queue.projectedByOlderRelease();
    expect((await queue.lease()).map(({ job }) => job.options)).toEqual(expected);
    expect(queue.leased()).toHaveLength(expected.length);
  });

  it('gives nothing to another than the current session', async () => {
    const queue = await Queue.withFeatures('options/1');
    await queue.shown(1, 1, the.PRINTER_ID, { options });
    await queue.shown(2, 2);
    expect(await queue.lease(4, [], 'a replaced session')).toEqual([]);
    expect(queue.leased()).toEqual([]);
  });
});

describe('leasing text for a printer with settings', () => {
  const text = { encoding: 'cp858', cut_after: true } as const;
  const leased = async (features: string[], contentType: string, settings: typeof text | null = text) => {
    const queue = await Queue.withFeatures(...features);
    await queue.update({ text: settings });
    await queue.shown(1, 1, the.PRINTER_ID, { contentType });
    return queue.lease();
  };

  it('brings the settings to a session that knows them', async () => {
    expect(await leased(['text/1'], 'text')).toMatchObject([{ text }]);
  });

  it.each([
    ['another type of document', ['text/1'], 'pdf', text],
    ['an older session, which prints it as before', ['options/1'], 'text', text],
    ['a printer whose settings were removed', ['text/1'], 'text', null],
  ])('brings none for %s', async (_, features, contentType, settings) => {
    const leases = await leased(features, contentType, settings);
    expect(leases.map((lease) => lease.text)).toEqual([undefined]);
  });
});

describe('finding work while the list lags', () => {
  it('skips listed jobs that are no longer queued', async () => {
    const queue = await Queue.of(the.PRINTER_ID, 'another printer');
    await queue.shown(1, 60);
    await queue.shown(61, 63, 'another printer');
    await queue.unprojected(1, 58, ...handedOver);
    await queue.unprojected(61, 62, the.cancelled());
    expect(await queue.poll(2)).toEqual([63, 59]);
    expect(await queue.poll()).toEqual([60]);
  });

  it('keeps the order of each printer', async () => {
    const queue = await Queue.of(the.PRINTER_ID);
    await queue.shown(1, 9);
    await queue.unprojected(2, 5, ...handedOver);
    expect(await queue.poll()).toEqual([1, 6, 7, 8]);
  });

  it('stops after several hundred jobs', async () => {
    const queue = await Queue.of(the.PRINTER_ID);
    await queue.shown(1, 900);
    await queue.unprojected(1, 900, the.cancelled());
    expect(await queue.poll(1)).toEqual([]);
    expect(queue.events.calls('load')).toBeLessThan(600);
  });
});
