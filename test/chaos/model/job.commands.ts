import fc, { type AsyncCommand } from 'fast-check';
import { epochMs } from '../../../src/kernel/time.js';
import type { FailureClass, Report, Reported } from './job.facts.js';
import type { JobModel } from './job.model.js';
import type { RealJob } from './job.world.js';

type Command = AsyncCommand<JobModel, RealJob> & { check(model: Readonly<JobModel>): boolean };

/** One command, applied to the model and the service, whose answers and state must then agree. */
function command(
  name: string,
  run: (model: JobModel, real: RealJob) => Promise<void>,
  check: (model: Readonly<JobModel>) => boolean = () => true,
): Command {
  return {
    check,
    toString: () => name,
    run: async (model, real) => {
      await run(model, real);
      await expectShown(model, real);
    },
  };
}

async function expectShown(model: JobModel, real: RealJob): Promise<void> {
  const { history, ...shown } = await real.shown();
  expect(history.map((line) => line.event_type)).toEqual(model.history);
  const expected = model.shown(real.now);
  const seen = Object.keys(expected).map((field) => [field, comparable(shown[field])]);
  expect(Object.fromEntries(seen)).toEqual(expected);
}

/** Times in the units of the model. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? epochMs(value) : value;
}

const leasedBefore = (back: number) => (model: Readonly<JobModel>) => model.attempts > back;
/** Uses the newest lease, sometimes the previous one. */
const back = fc.constantFrom(0, 0, 1);

const wait = (ms: number) => command(`wait ${ms} ms`, (model, real) => real.wait(model, ms));

/** Advances to the next timer, or a millisecond before or after it. */
export const waitForDeadline = (slack: number) =>
  command(
    `wait for the deadline ${slack >= 0 ? '+' : ''}${slack} ms`,
    (model, real) => real.wait(model, Math.max(0, model.deadline + slack - real.now)),
    (model) => model.deadline < Infinity,
  );

const lease = command('lease', async (model, real) => {
  const granted = model.lease(real.now);
  expect(await real.lease()).toBe(granted);
});

const accept = (from: number, rightContent: boolean) =>
  command(
    `accept${rightContent ? '' : ' wrong content'}${older(from)}`,
    async (model, real) => {
      const answer = from > 0 ? lostLease(model) : model.accept(real.now, rightContent);
      expect(await real.accept(from, rightContent)).toBe(answer);
    },
    leasedBefore(from),
  );

const handOff = (from: number) =>
  command(
    `hand off${older(from)}`,
    async (model, real) => {
      const answer = from > 0 ? lostLease(model) : model.handOff(real.now);
      expect(await real.handOff(from)).toBe(answer);
    },
    leasedBefore(from),
  );

const lostLease = (_: JobModel) => 'LEASE_LOST';

export const release = (from: number) =>
  command(
    `release${older(from)}`,
    async (model, real) => {
      const answer = from > 0 ? 'LEASE_NOT_FOUND' : model.release(real.now);
      expect(await real.release(from)).toBe(answer);
    },
    leasedBefore(from),
  );

const heartbeat = (from: number) =>
  command(
    `heartbeat${older(from)}`,
    async (model, real) => {
      const answer = from > 0 ? 'superseded' : model.heartbeat(real.now);
      expect(await real.heartbeat(from)).toBe(answer);
    },
    leasedBefore(from),
  );

const startSession = (from: number | undefined, phase: string) =>
  command(
    from === undefined ? 'new session' : `new session, journal ${phase}${older(from)}`,
    async (model, real) => {
      const touched = phase === 'handing_off' || phase === 'handed_off';
      model.startSession(real.now);
      if (from === undefined || from > 0) model.lose(real.now);
      const superseded = touched ? 'report' : 'abandon';
      const verdict = from === 0 ? model.reconcile(real.now, touched) : superseded;
      const named = from === undefined ? undefined : { back: from, phase };
      expect(await real.startSession(named)).toBe(named && verdict);
    },
    leasedBefore(from ?? 0),
  );

export const report = (from: number, said: Reported) =>
  command(
    `report ${JSON.stringify(said)}${older(from)}`,
    async (model, real) => {
      const result = from > 0 ? model.recordLate() : model.report(real.now, said);
      expect(await real.report(from, said)).toBe(result);
      model.reportIsKnown = result === 'applied' || result === 'late';
    },
    leasedBefore(from),
  );

const repeatReport = command(
  'repeat the last report',
  async (_, real) => expect(await real.repeatReport()).toBe('duplicate'),
  (model) => model.reportIsKnown,
);

const cancel = command('cancel', async (model, real) => {
  const answer = model.cancel(real.now);
  expect(await real.cancel()).toBe(answer);
});

const retry = (again: boolean) =>
  command(again ? 'retry, same key' : 'retry', async (model, real) => {
    const answer = model.retry(real.now, again);
    expect(await real.retry(again)).toBe(answer);
  });

/** The next step towards the spooler, without which few runs would reach it. */
export const onward = command('onward', async (model, real) => {
  const now = real.now;
  const said: Reported = { type: model.phase === 'spooled' ? 'spooler_completed' : 'spooled', ago: 0 };
  if (!model.held) expect(await real.lease()).toBe(model.lease(now));
  else if (model.phase === 'leased') expect(await real.accept(0, true)).toBe(model.accept(now, true));
  else if (model.phase === 'accepted') expect(await real.handOff(0)).toBe(model.handOff(now));
  else {
    expect(await real.report(0, said)).toBe(model.report(now, said));
    model.reportIsKnown = true;
  }
});

function older(from: number): string {
  return from > 0 ? ', lease before' : '';
}

const said: fc.Arbitrary<Reported> = fc.record({
  type: fc.constantFrom<Report[]>(
    'spooled',
    'spooler_completed',
    'spooler_failed',
    'spooler_cancelled',
    'spooler_vanished',
    'not_submitted',
    'rejected',
  ),
  failureClass: fc.constantFrom<(FailureClass | undefined)[]>(
    undefined,
    'temporary',
    'permanent',
    'ambiguous',
  ),
  failureCode: fc.constantFrom(undefined, 'OUT_OF_ORDER'),
  ago: fc.constantFrom(0, 0, 5_000, 3_600_000, -3_600_000),
});
const phases = fc.constantFrom('leased', 'accepted', 'handing_off', 'handed_off');

export const jobCommands = [
  fc.constant(onward),
  fc.constant(onward),
  fc.constant(onward),
  fc.constant(onward),
  fc.tuple(back, said).map(([from, what]) => report(from, what)),
  fc.tuple(back, said).map(([from, what]) => report(from, what)),
  fc.constantFrom(-1, 0, 0, 1).map(waitForDeadline),
  fc.constantFrom(-1, 0, 0, 1).map(waitForDeadline),
  fc.constantFrom(1, 20_000, 59_999, 60_000, 90_000, 600_000, 7_200_000).map(wait),
  fc.constant(repeatReport),
  fc.constant(lease),
  fc.tuple(back, fc.constantFrom(true, true, false)).map(([from, right]) => accept(from, right)),
  back.map(handOff),
  back.map(release),
  back.map(heartbeat),
  fc.tuple(fc.constantFrom(undefined, 0, 0, 1), phases).map(([from, phase]) => startSession(from, phase)),
  fc.constant(cancel),
  fc.constantFrom(false, false, true).map(retry),
];
