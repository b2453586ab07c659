import fc from 'fast-check';
import { startTestService } from '../../kit/service.js';
import { jobCommands, onward, release, report, waitForDeadline } from './job.commands.js';
import { JobModel } from './job.model.js';
import { ModelWorld } from './job.world.js';

/** Odd, so that a job never expires in the same millisecond as another timer. */
const lifetimes = fc.constantFrom(90_137, 1_200_137, 93_600_137);

/** Shares of releases, failures and progress to the spooler, without which few runs would cover later steps. */
const beginnings = fc
  .tuple(fc.nat({ max: 1 }), fc.constantFrom(0, 0, 0, 1, 3), fc.nat({ max: 5 }))
  .map(([released, failed, steps]) => [
    ...times(released, () => [onward, release(0)]),
    ...times(failed, () => [
      onward,
      onward,
      report(0, { type: 'not_submitted', ago: 0 }),
      waitForDeadline(0),
    ]),
    ...times(steps, () => [onward]),
  ]);

function times<T>(count: number, what: () => T[]): T[] {
  return Array.from({ length: count }, what).flat();
}

/**
 * Runs this many lives of a job in the model and in the service. The seed is printed; the same seed gives the
 * same lives.
 */
export async function runJobModel(runs: number, seed: number): Promise<void> {
  process.stderr.write(`job model: ${runs} runs, SEED=${seed}\n`);
  const service = await startTestService();
  try {
    const world = new ModelWorld(service);
    const seen = new Set<string>();
    const property = fc.asyncProperty(
      lifetimes,
      beginnings,
      fc.commands(jobCommands, { maxCommands: 30, size: '+1' }),
      async (lifetime, beginning, commands) => {
        const real = await world.begin(lifetime);
        const model = new JobModel(real.now, real.now + lifetime);
        for (const command of beginning) if (command.check(model)) await command.run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const type of model.history) seen.add(type);
      },
    );
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
    expect([...seen].sort()).toEqual(EVERYTHING);
    const verified = await service.operate('POST', '/views/verify');
    expect((verified.items as { equal: boolean }[]).every((view) => view.equal)).toBe(true);
  } finally {
    await service.close();
  }
}

/** Runs that do not cover every status prove nothing. */
const EVERYTHING = [
  'job.accepted_by_agent',
  'job.cancelled',
  'job.created',
  'job.expired',
  'job.failed',
  'job.handoff_started',
  'job.late_result_recorded',
  'job.lease_lapsed',
  'job.lease_released',
  'job.leased',
  'job.manual_review',
  'job.queued',
  'job.retry_scheduled',
  'job.retry_submitted',
  'job.sent_to_spooler',
  'job.spooler_completed',
];
