import { jobViewProjection } from '../../projections/job-view/job-view.projection.js';
import { JobQueries } from '../../projections/job-view/job-view.queries.js';
import type { JobDescription, JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import type { EventStore } from '../../src/event-sourcing/ports/event-store.port.js';
import type { ViewStore } from '../../src/event-sourcing/ports/view-store.port.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import * as the from './examples/jobs.js';
import { recordedAt } from './recorded.js';
import { TestViews } from './views.js';

export interface JobStory {
  readonly of?: Partial<JobDescription>;
  readonly events: readonly JobEvent[];
}

/** The job view of jobs named a, b, c …, created in this order. */
export function viewOfJobs(...stories: readonly JobStory[]): ViewStore {
  return viewOf(streamsOf(stories));
}

/** Queries over the view and the streams of these jobs. */
export function queriesOfJobs(...stories: readonly JobStory[]): JobQueries {
  const streams = streamsOf(stories);
  const store = { load: async (name: string) => streams.find(([first]) => first!.stream === name) ?? [] };
  return new JobQueries(viewOf(streams), store as unknown as EventStore);
}

function viewOf(streams: readonly (readonly RecordedEvent[])[]): ViewStore {
  const views = new TestViews([jobViewProjection]);
  for (const events of streams) views.project(events);
  return views.store;
}

function streamsOf(stories: readonly JobStory[]): readonly (readonly RecordedEvent[])[] {
  let position = 0;
  return stories.map(({ of, events }, n) => {
    const jobId = 'abcdefgh'[n]!;
    return events.map((event, revision) => {
      const data = event.type === 'JobCreated' ? { ...event.data, ...of, jobId } : event.data;
      const at = the.seconds(position);
      const stored = recordedAt(at, `job-${jobId}`, revision, { ...event, data } as JobEvent);
      return { ...stored, position: String(++position).padStart(20, '0') };
    });
  });
}
