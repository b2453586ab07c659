import { chanceFrom } from '../../../kit/random.js';
import { ChangeFollower, NO_FAULTS } from '../../../kit/change-follower.js';
import { checkIntegrity } from '../kit/integrity.js';
import { eventually } from '../../../kit/polling.js';
import { RecordedAnswers } from '../../../kit/recorded-answers.js';
import type { StoredEvent } from '../../../kit/stored-events.js';
import { joinComputer, type SeedFolder, type World } from '../kit/world.js';
import { printJobs } from './agents.js';
import { createJobs, type Created, type Load } from './clients.js';
import { Gate } from './gate.js';

/** Graces as short as a test can wait. */
const ENV = {
  LEASE_SECONDS: '0.5',
  ACCEPT_GRACE_SECONDS: '0.5',
  HANDOFF_GRACE_SECONDS: '0.5',
  SPOOL_WATCH_SECONDS: '1',
};
const CLIENTS = 4;
const CREATES_OF_A_CLIENT = 10;
const EARLIEST_KILL_MS = 20;
const LATEST_KILL_MS = 400;
const MORE_COMPUTERS = 2;

export interface Tally {
  readonly jobs: number;
  readonly unanswered: number;
  /** Answers of getPrintJob that were compared with `at` their moment. */
  readonly answers: number;
  /** Of those, answers that an event overtook: they equal the moment before it. */
  readonly overtaken: number;
  readonly atRest: Readonly<Record<string, number>>;
}

/**
 * Kills a service under load at random seeded moments, restarts and checks it each time, then waits until all
 * jobs end.
 */
export async function crashLoop(
  seedFolder: SeedFolder,
  kills: number,
  answers: number,
  seed: number,
): Promise<Tally> {
  const world = await seedFolder.grow(ENV);
  try {
    world.creators = CLIENTS;
    await world.start();
    return await underLoad(world, kills, answers, chanceFrom(seed));
  } finally {
    await world.remove();
  }
}

async function underLoad(world: World, kills: number, answers: number, chance: () => number): Promise<Tally> {
  const computers = [world.seed];
  for (let n = 0; n < MORE_COMPUTERS; n++) {
    computers.push({ ...world.seed, ...(await joinComputer(world, world.seed.accountId)) });
  }
  const gate = new Gate(world);
  const journal: Created[] = [];
  const printerIds = computers.map(({ printerId }) => printerId);
  const recorded = new RecordedAnswers((...asked) => gate.call(...asked), chance);
  const load: Load = { world, gate, chance, journal, printerIds, recorded };
  let done = false;
  const agents = Promise.all(computers.map((computer) => printJobs(load, computer, () => done)));
  const follower = new ChangeFollower((query, headers) =>
    gate.call('GET', `/svc-api-changes${query}`, { as: world.seed.key, headers }),
  );
  const following = follower.follow(() => done);
  try {
    for (let n = 0; n < kills; n++) {
      const clients = Array.from({ length: CLIENTS }, () => createJobs(load, CREATES_OF_A_CLIENT));
      const reading = recorded.read(Math.ceil(answers / kills));
      // If the kill or an Agent fails, nobody awaits it, and its rejection would hide that failure.
      reading.catch(() => undefined);
      await Promise.race([killAndRestart(world, gate, chance), agents, following]);
      await Promise.all([...clients, reading]);
    }
    const events = await eventually('all jobs to come to rest', () => whenAtRest(world, journal));
    done = true;
    await agents;
    await following;
    expect(follower.faults(await world.events(), [world.seed.accountId])).toEqual(NO_FAULTS);
    await checkIntegrity(world);
    expectOneJobEach(journal, events);
    const compared = await recorded.compare(events);
    return { jobs: journal.length, unanswered: gate.unanswered, ...compared, atRest: tallyOf(events) };
  } finally {
    done = true;
    gate.giveUp();
  }
}

async function killAndRestart(world: World, gate: Gate, chance: () => number): Promise<void> {
  const moment = EARLIEST_KILL_MS + chance() * (LATEST_KILL_MS - EARLIEST_KILL_MS);
  await new Promise((resolve) => setTimeout(resolve, moment));
  const killed = world.service.kill();
  gate.close();
  await killed;
  world.crashes++;
  await world.start();
  await checkIntegrity(world);
  gate.open();
}

/** The events, once each job is final, failed without a scheduled retry, or parked. */
async function whenAtRest(world: World, journal: readonly Created[]): Promise<StoredEvent[] | undefined> {
  const path = '/svc-api-print-jobs?limit=1';
  const states = ['queued', 'leased', 'accepted_by_agent', 'sent_to_spooler'];
  for (const status of states) {
    const { body } = await world.asClient('GET', `${path}&status=${status}`);
    if (body.data!.total !== 0) return undefined;
  }
  const events = await world.events();
  const last = lastOf(events);
  expect(last.size).toBe(journal.length);
  const atRest = [...last.values()].every(({ type }) => RESTING.includes(type));
  return atRest ? events : undefined;
}

const RESTING = ['JobCompleted', 'JobCancelled', 'JobExpired', 'JobFailed', 'ManualReviewOpened'];

/** The last event of each job that determines its status. */
function lastOf(events: readonly StoredEvent[]): Map<string, StoredEvent> {
  const moves = events.filter(({ type }) => type !== 'LateResultRecorded' && type !== 'ContentPurged');
  return new Map(
    moves.filter(({ stream }) => stream.startsWith('job-')).map((event) => [event.stream, event]),
  );
}

/** Each key has one job, with the sent document; there is no other job. */
function expectOneJobEach(journal: readonly Created[], events: readonly StoredEvent[]): void {
  const created = events.filter(({ type }) => type === 'JobCreated');
  const stored = new Map(created.map(({ data }) => [data.jobId, data.contentHash]));
  expect(stored).toEqual(new Map(journal.map(({ jobId, hash }) => [jobId, hash])));
}

function tallyOf(events: readonly StoredEvent[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const { type, data } of lastOf(events).values()) {
    if (type === 'JobFailed' || type === 'ManualReviewOpened')
      expect(data.failureCode).toEqual(expect.any(String));
    tally[type] = (tally[type] ?? 0) + 1;
  }
  return tally;
}
