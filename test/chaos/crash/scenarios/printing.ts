import type { Scenario } from '../kit/crash-points.js';
import {
  awaits,
  cancels,
  creates,
  createsAgain,
  expectDuplicate,
  expectRetryReplayed,
  handsOff,
  jobOf,
  LARGE,
  leases,
  accepts,
  prints,
  reports,
  retries,
} from '../kit/steps.js';
import type { World } from '../kit/world.js';

const UNHEARD_LEASES = /^(JobLeased LeaseLapsed )*$/;

/** Events of a job; leases with a lost answer may have lapsed in between. */
async function expectStory(world: World, name: string, ...expected: readonly string[]): Promise<void> {
  const types = await world.typesOf(`job-${jobOf(world, name)}`);
  const heard = types.filter((type, n) => !(isUnheard(type, types[n + 1]) || isUnheard(types[n - 1], type)));
  expect(heard).toEqual(expected);
}

function isUnheard(type: string | undefined, next: string | undefined): boolean {
  return UNHEARD_LEASES.test(`${type} ${next} `);
}

const PRINTED = ['JobLeased', 'JobAccepted', 'HandoffStarted', 'JobSpooled', 'JobCompleted'];

export const jobLife: Scenario = {
  name: 'a job from create to print',
  steps: [creates('receipt'), createsAgain('receipt'), ...prints('receipt')],
  async outcome(world) {
    await createsAgain('receipt').run(world);
    await expectDuplicate(world, 'receipt', 'spooled');
    await expectDuplicate(world, 'receipt', 'spooler_completed');
    await expectStory(world, 'receipt', 'JobCreated', 'JobQueued', ...PRINTED);
  },
};

export const largeDocument: Scenario = {
  name: 'a large document, cancelled and purged',
  env: { CONTENT_RETENTION_SECONDS: '0.2' },
  steps: [creates('poster', LARGE), cancels('poster'), awaits('poster', 'ContentPurged')],
  async outcome(world) {
    await createsAgain('poster').run(world);
    await expectStory(world, 'poster', 'JobCreated', 'JobQueued', 'JobCancelled', 'ContentPurged');
  },
};

export const automaticRetry: Scenario = {
  name: 'a failure and its automatic retry',
  env: { CONTENT_RETENTION_SECONDS: '0.2' },
  steps: [
    creates('label'),
    leases('label'),
    accepts('label'),
    reports('label', 'not_submitted', 'JobFailed'),
    awaits('label', 'JobRequeued'),
    ...prints('label'),
    awaits('label', 'ContentPurged'),
  ],
  outcome: (world) =>
    expectStory(
      world,
      'label',
      ...[
        'JobCreated',
        'JobQueued',
        'JobLeased',
        'JobAccepted',
        'JobFailed',
        'RetryScheduled',
        'JobRequeued',
      ],
      ...[...PRINTED, 'ContentPurged'],
    ),
};

export const manualRetry: Scenario = {
  name: 'a doubt and a retry by a person',
  steps: [
    creates('invoice'),
    leases('invoice'),
    accepts('invoice'),
    handsOff('invoice'),
    reports('invoice', 'spooler_vanished', 'ManualReviewOpened'),
    retries('invoice'),
    ...prints('invoice'),
  ],
  async outcome(world) {
    await expectRetryReplayed(world, 'invoice');
    await expectStory(
      world,
      'invoice',
      ...['JobCreated', 'JobQueued', 'JobLeased', 'JobAccepted', 'HandoffStarted', 'ManualReviewOpened'],
      ...['JobRequeued', ...PRINTED],
    );
  },
};
