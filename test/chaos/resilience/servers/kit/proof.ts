import { byStream, type StoredEvent } from '../../../../kit/stored-events.js';
import { EventLog, jobsOf } from '../../instances/kit/event-log.js';
import {
  expectOneJobEach,
  expectOrder,
  expectSoundJobs,
  expectViewsEqualReplay,
} from '../../instances/kit/proofs.js';
import type { Load } from './load.js';
import type { WatchedService } from './watched-service.js';

/** No acknowledged write is lost or duplicated, and the read models equal a replay. */
export async function prove(service: WatchedService, load: Load): Promise<void> {
  const events = ofAccount(load.accountId, await new EventLog(service).read());
  expectOrder(events);
  expectOneJobEach(load.journal, events);
  expectSoundJobs(events);
  expect(ended(events, 'JobCancelled')).toEqual([...load.cancelled].sort());
  expect(ended(events, 'JobCompleted')).toEqual([...load.printed].sort());
  expect(await load.shown()).toEqual({
    total: load.journal.size,
    completed: load.printed.size,
    cancelled: load.cancelled.size,
  });
  await expectViewsEqualReplay(service);
  expect(service.wrong).toEqual([]);
}

/** Number of jobs by final event. */
function ended(events: readonly StoredEvent[], type: string): readonly string[] {
  return events.flatMap((event) => (event.type === type ? [event.stream.slice('job-'.length)] : [])).sort();
}

/** Streams of its own jobs only, because other cases have used the same stores. */
function ofAccount(accountId: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const mine = jobsOf(events)
    .filter(([, [first]]) => first?.data.accountId === accountId)
    .map(([jobId]) => `job-${jobId}`);
  const streams = byStream(events);
  return mine.flatMap((stream) => streams.get(stream)!);
}
