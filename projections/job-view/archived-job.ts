import { documentAt, type EventStore } from '../../src/event-sourcing/index.js';
import { streamOf } from '../../src/kernel/ids.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { JobDocument } from './job-view.js';
import { jobViewProjection } from './job-view.projection.js';

/** As the view would show it if jobs were never archived. @param events of its stream, from the first one */
export function jobAfter(events: readonly RecordedEvent[], jobId: string): JobDocument | undefined {
  const shown = events.filter((event) => !isArchival(event));
  return documentAt(jobViewProjection, shown, jobId)?.document as JobDocument | undefined;
}

/** Undefined for a job that is not archived. @throws CorruptEventError, UnavailableError */
export async function archivedJob(store: EventStore, jobId: string): Promise<JobDocument | undefined> {
  const events = await store.load(streamOf('job', jobId));
  return events.some(isArchival) ? jobAfter(events, jobId) : undefined;
}

const isArchival = ({ type }: RecordedEvent) => type === 'JobArchived';
