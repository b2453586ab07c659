import { jobViewProjection } from '../../projections/job-view/job-view.projection.js';
import type { JobDescription, JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import type { ViewStore } from '../../src/event-sourcing/ports/view-store.port.js';
import * as the from './examples/jobs.js';
import { recordedAt } from './recorded.js';
import { TestViews } from './views.js';

export interface JobStory {
  readonly of?: Partial<JobDescription>;
  readonly events: readonly JobEvent[];
}

/** The job view of jobs named a, b, c …, created in this order. */
export function viewOfJobs(...stories: readonly JobStory[]): ViewStore {
  const views = new TestViews([jobViewProjection]);
  let position = 0;
  stories.forEach(({ of, events }, n) => {
    const jobId = 'abcdefgh'[n]!;
    const told = events.map((event, revision) => {
      const data = event.type === 'JobCreated' ? { ...event.data, ...of, jobId } : event.data;
      const at = the.seconds(position);
      const stored = recordedAt(at, `job-${jobId}`, revision, { ...event, data } as JobEvent);
      return { ...stored, position: String(++position).padStart(20, '0') };
    });
    views.project(told);
  });
  return views.store;
}
