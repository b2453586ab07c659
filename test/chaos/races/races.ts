import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import { brokenPromises } from './race-laws.js';
import { Race } from './race.js';
import { jobView, type JobDocument } from '../../../projections/job-view/job-view.js';
import type { Armed } from '../../../src/event-sourcing/timers/timers.projection.js';
import { HOUR } from '../../surface/asking.js';

const FAR = '9999-01-01T00:00:00.000Z';

/** Races this many jobs through the service and checks its promises. The seed is printed. */
export async function holdRaces(jobs: number, seed: number): Promise<void> {
  process.stderr.write(`races: ${jobs} jobs, SEED=${seed}\n`);
  const race = await Race.open({ jobs, seed });
  try {
    await race.run(jobs);
    expect(race.jobs).toHaveLength(jobs);
    // The agents become silent: their jobs return to the queue, fail or are parked.
    for (let hour = 0; hour < 4; hour++) await race.service.advance(HOUR / 2);
    await nothingIsStuck(race);
    for (let hour = 0; hour < 100; hour++) await race.service.advance(HOUR);
    const ends = new Set((await race.shown()).map(({ status }) => status));
    expect(['cancelled', 'expired', 'failed', 'spooler_completed']).toEqual(
      expect.arrayContaining([...ends]),
    );
    expect(await brokenPromises(race.service.stores.events)).toEqual([]);
    await answersAreTrue(race);
    const { items } = await race.service.operate('POST', '/views/verify');
    expect((items as { equal: boolean }[]).filter(({ equal }) => !equal)).toEqual([]);
  } finally {
    await race.service.close();
  }
}

async function nothingIsStuck(race: Race): Promise<void> {
  const everything = { by: 'due_at', upTo: FAR, limit: 1_000_000 };
  const armed = await race.service.stores.views.range<Partial<Armed> & JobDocument>(jobView, everything);
  const expiring = new Set(
    armed.filter(({ timers = {} }) => 'job-expiry' in timers).map(({ job_id }) => job_id),
  );
  const jobs = await race.shown();
  expect(jobs).toHaveLength(race.jobs.length);
  const stuck = jobs.filter((job) => {
    const { job_id, status, is_final, failure_code } = job as Record<string, string | boolean | undefined>;
    if (is_final) return false;
    if (status === 'failed') return !failure_code;
    if (status === 'manual_review') return !failure_code || !expiring.has(String(job_id));
    return status !== 'queued' || !expiring.has(String(job_id));
  });
  expect(stuck).toEqual([]);
}

/** Answers to clients and stored events must agree. */
async function answersAreTrue({ service, jobs, answers }: Race): Promise<void> {
  const streams = await Promise.all(jobs.map((jobId) => service.stores.events.load(`job-${jobId}`)));
  const byJob = (chosen: (event: RecordedEvent) => boolean) =>
    new Map(
      streams.flatMap((events, n) => {
        const count = events.filter(chosen).length;
        return count > 0 ? [[jobs[n]!, count] as const] : [];
      }),
    );
  const cancelled = byJob(({ type }) => type === 'JobCancelled');
  expect([...cancelled.keys()].sort()).toEqual([...answers.cancelled].sort());
  const retried = byJob(
    ({ type, data }) => type === 'JobRequeued' && (data as { cause?: string }).cause === 'manual',
  );
  expect([...retried].sort()).toEqual([...answers.retried].sort());
}
