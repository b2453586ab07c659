import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import type { JobEvent } from './domain/job.events.js';
import { HeldLeases } from './limits.js';
import { makeJobAggregate } from './job.aggregate.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { TooFarBehindError, UnavailableError } from '../../kernel/errors.js';
import { TestViews } from '../../../test/kit/views.js';

const { COMPUTER_ID, JOB_ID } = the;
const LEASE = the.leaseIdOf(1);

/** Events whose read models can be paused. */
class LaggingEventStore extends TestEventStore {
  lags = false;
  isFarBehind = false;
  private readonly hidden: RecordedEvent[] = [];

  constructor(views: TestViews) {
    super();
    this.listen({ appended: (fresh) => (this.lags ? this.hidden.push(...fresh) : views.project(fresh)) });
  }

  override async unprojected() {
    if (this.isFarBehind) throw new TooFarBehindError();
    return [...this.hidden];
  }

  override async waitUntilProjected() {
    if (this.isFarBehind) throw new TooFarBehindError();
  }
}

/** The list shows the first part of the job's events but not the second. */
async function leases(
  shown: readonly JobEvent[],
  unprojected: readonly JobEvent[],
  { isFarBehind = false } = {},
): Promise<HeldLeases> {
  const views = new TestViews([jobViewProjection]);
  const events = new LaggingEventStore(views);
  const metadata = {
    actor: { kind: 'operator' as const, id: 'operator' },
    correlationId: 'correlation-1',
    at: the.seconds(0),
    schemaVersion: 1,
  };
  const stored = [...shown, ...unprojected].map((event, n) => ({ ...event, id: `event-${n}`, metadata }));
  await events.append({
    stream: the.JOB_STREAM,
    expected: 'no_stream',
    events: stored.slice(0, shown.length),
  });
  events.lags = true;
  events.isFarBehind = isFarBehind;
  if (unprojected.length > 0) {
    const rest = stored.slice(shown.length);
    await events.append({ stream: the.JOB_STREAM, expected: shown.length - 1, events: rest });
  }
  const aggregates = new AggregateStore(events, new SystemRandomness(), { shared: true });
  const lists = new ViewJobLists(views.store);
  return new HeldLeases(makeJobAggregate(defaultJobPolicy), aggregates, events, lists);
}

const held = [{ jobId: JOB_ID, leaseId: LEASE, printerId: the.PRINTER_ID }];

describe('counting the leases of a computer', () => {
  it('counts listed leases', async () => {
    expect(await (await leases(the.withAgent, [])).of(COMPUTER_ID)).toEqual(held);
    expect(await (await leases(the.withAgent, [])).of('another computer')).toEqual([]);
  });

  it('counts a lease missing from the list', async () => {
    const lagging = await leases(the.waiting, [the.leased()]);
    expect(await lagging.of(COMPUTER_ID)).toEqual(held);
    expect(await lagging.of('another computer')).toEqual([]);
  });

  it('skips a lease that is over or handed off, though still listed', async () => {
    expect(await (await leases(the.withAgent, [the.released()])).of(COMPUTER_ID)).toEqual([]);
    expect(await (await leases(the.waiting, [the.leased(), the.lapsed()])).of(COMPUTER_ID)).toEqual([]);
    const away = await leases(the.waiting, [the.leased(), the.accepted(), the.handedOff()]);
    expect(await away.of(COMPUTER_ID)).toEqual([]);
  });
});

describe('leases while it is not known what the list lacks', () => {
  it('are counted by the list, but one that it does not show is not denied', async () => {
    const lagging = await leases(the.withAgent, [the.released()], { isFarBehind: true });
    expect(await lagging.of(COMPUTER_ID)).toEqual(held);
    expect(await lagging.find(COMPUTER_ID, LEASE)).toMatchObject({ jobId: JOB_ID });
    await expect(lagging.find(COMPUTER_ID, the.leaseIdOf(2))).rejects.toThrow(UnavailableError);
  });
});

describe('finding the job of a lease', () => {
  it('finds it in the list', async () => {
    const found = await (await leases(the.withAgent, [])).find(COMPUTER_ID, LEASE);
    expect(found).toMatchObject({ jobId: JOB_ID });
  });

  it('finds one missing from the list, only for its own computer', async () => {
    const lagging = await leases(the.waiting, [the.leased()]);
    expect(await lagging.find(COMPUTER_ID, LEASE)).toEqual({ jobId: JOB_ID, status: 'leased' });
    expect(await lagging.find('another computer', LEASE)).toBeUndefined();
    expect(await lagging.find(COMPUTER_ID, the.leaseIdOf(2))).toBeUndefined();
  });

  it('returns the status of the job', async () => {
    const over = await leases(the.waiting, [the.leased(), the.lapsed()]);
    expect(await over.find(COMPUTER_ID, LEASE)).toEqual({ jobId: JOB_ID, status: 'queued' });
  });
});
