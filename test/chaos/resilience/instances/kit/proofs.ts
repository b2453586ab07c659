import { MAX_LEASES_PER_PRINTER } from '../../../../../src/contexts/jobs/coordinated.commands.js';
import type { FieldAgent } from './agents.js';
import type { Journal } from './clients.js';
import { byStream, type StoredEvent } from '../../../../kit/stored-events.js';
import { jobsOf } from './event-log.js';
import type { Fleet } from './fleet.js';

const ENDS_A_LEASE = ['LeaseLapsed', 'LeaseReleased', 'LeaseInvalidated', 'JobFailed', 'JobCompleted'];
const NO_MORE_COUNTED = [...ENDS_A_LEASE, 'HandoffStarted'];
const ENDS = ['JobCompleted', 'JobCancelled'];

/** The log is complete: no duplicate event, no gap in a stream. */
export function expectOrder(events: readonly StoredEvent[]): void {
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  for (const [stream, story] of byStream(events)) {
    expect({ stream, revisions: story.map(({ revision }) => revision) }).toEqual({
      stream,
      revisions: story.map((_, n) => n),
    });
  }
}

/** Each key has exactly the job in its client's answer, and there is no other job. */
export function expectOneJobEach(journal: Journal, events: readonly StoredEvent[]): void {
  const created = events.filter(({ type }) => type === 'JobCreated').map(({ data }) => String(data.jobId));
  expect(created.sort()).toEqual([...journal.values()].sort());
}

/** Every unfinished job, with its events. */
export function unfinished(events: readonly StoredEvent[]): readonly string[] {
  return jobsOf(events)
    .filter(([, story]) => !ENDS.includes(story.findLast(({ type }) => type !== 'ContentPurged')!.type))
    .map(
      ([jobId, story]) => `${jobId}: ${story.map(({ type, position }) => `${type}@${position}`).join(' ')}`,
    );
}

/**
 * One lease at a time, increasing fences, at most one hand-off each, and no second hand-off without a manual
 * retry.
 */
export function expectSoundJobs(events: readonly StoredEvent[]): void {
  for (const [jobId, story] of jobsOf(events)) {
    let live: unknown;
    let fence = 0;
    let handedOff = false;
    for (const { type, data } of story) {
      const before = { jobId, type, live, fence, handedOff };
      if (type === 'JobLeased') {
        // Leased again only if certainly nothing was printed.
        expect(before).toMatchObject({ live: undefined, fence: Number(data.fence) - 1, handedOff: false });
        live = data.leaseId;
        fence = Number(data.fence);
      } else if (type === 'HandoffStarted') {
        expect(before).toMatchObject({ live: data.leaseId, fence: data.fence, handedOff: false });
        handedOff = true;
      } else if (ENDS_A_LEASE.includes(type)) {
        expect(before).toMatchObject({ live: data.leaseId, fence: data.fence });
        // The last lapse in a row fails the job, with the same lease.
        live = type === 'LeaseLapsed' && !data.requeued ? data.leaseId : undefined;
      }
    }
  }
}

/** No printer ever has more leases than allowed. */
export function expectWithinLimits(events: readonly StoredEvent[]): void {
  const held = new Map<string, Set<string>>();
  const printers = new Map<string, string>();
  for (const { type, stream, data } of events) {
    if (type === 'JobCreated') printers.set(stream, String(data.printerId));
    const printer = printers.get(stream) ?? '';
    if (type === 'JobLeased') {
      const leases = held.get(printer) ?? new Set();
      held.set(printer, leases.add(stream));
      if (leases.size > MAX_LEASES_PER_PRINTER) throw new Error(`${printer} has ${leases.size} leases`);
    } else if (NO_MORE_COUNTED.includes(type)) held.get(printer)?.delete(stream);
  }
}

/** Timers fired once: a lease lapses once, a retry happens once. */
export function expectTimersFiredOnce(events: readonly StoredEvent[]): void {
  const lapsed = events.filter(({ type }) => type === 'LeaseLapsed').map(({ data }) => data.leaseId);
  expect(new Set(lapsed).size).toBe(lapsed.length);
  for (const [jobId, story] of jobsOf(events)) {
    const scheduled = story.filter(({ type }) => type === 'RetryScheduled').length;
    const requeued = story.filter(({ type }) => type === 'JobRequeued').length;
    expect({ jobId, requeued }).toEqual({ jobId, requeued: scheduled });
  }
}

/** No job was printed twice, and each print has its hand-off in the log. */
export function expectPrintedOnce(agents: readonly FieldAgent[], events: readonly StoredEvent[]): void {
  const printed = agents.flatMap((agent) => agent.printed);
  expect(new Set(printed).size).toBe(printed.length);
  expect(new Set(printed.map((one) => one.split(':')[0])).size).toBe(printed.length);
  const handedOff = events
    .filter(({ type }) => type === 'HandoffStarted')
    .map(({ stream, data }) => `${stream.slice('job-'.length)}:${Number(data.fence)}`);
  expect(printed.sort()).toEqual(handedOff.sort());
}

export async function expectViewsEqualReplay(fleet: Pick<Fleet, 'operate'>): Promise<void> {
  const { items } = await fleet.operate('POST', '/views/verify');
  const views = items as { name: string; equal: boolean }[];
  expect(views.length).toBeGreaterThan(5);
  expect(views.filter(({ equal }) => !equal)).toEqual([]);
}
