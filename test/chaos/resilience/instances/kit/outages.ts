import { pause } from '../../../../kit/polling.js';
import type { Fleet, Instance } from './fleet.js';
import { killAndRestart } from './kills.js';

/** Longer than the lease of a worker group, so that another instance takes over. */
const FROZEN_INSTANCE_MS = 12_000;
/** Longer than the cluster needs to notice a frozen leader and to elect another. */
const LEADER_AWAY_MS = 10_000;
const READ_STORE_AWAY_MS = 4_000;
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 6_000;

interface Outage {
  readonly what: string;
  readonly happens: (fleet: Fleet, victim: Instance) => Promise<void>;
}

/** The three parts that may fail, each killed and each frozen. Everything runs again when one resolves. */
const OUTAGES: readonly Outage[] = [
  {
    what: 'the leader of the event store is killed',
    happens: async ({ servers: { events } }) => {
      await events.killLeader();
      await events.leaderPort();
      await events.comeBack();
    },
  },
  { what: 'an instance is killed', happens: killAndRestart },
  {
    what: 'the read store is restarted',
    happens: ({ servers }) => servers.mongo.restart(READ_STORE_AWAY_MS),
  },
  {
    what: 'the leader of the event store is frozen',
    happens: async ({ servers: { events } }) => {
      await events.freezeLeader();
      await pause(LEADER_AWAY_MS);
      await events.leaderPort();
      await events.comeBack();
    },
  },
  {
    what: 'an instance is frozen',
    happens: async (_, { process: { pid } }) => {
      process.kill(pid, 'SIGSTOP');
      await pause(FROZEN_INSTANCE_MS);
      process.kill(pid, 'SIGCONT');
    },
  },
  {
    what: 'the read store is frozen',
    happens: async ({ servers: { mongo } }) => {
      mongo.freeze();
      await pause(READ_STORE_AWAY_MS);
      mongo.thaw();
    },
  },
];

/**
 * Repeats all outages in turn, one every few seconds, until `enough`. Resolves to the number of outages, each of
 * which may interrupt deliveries.
 */
export async function outagesInTurn(
  fleet: Fleet,
  chance: () => number,
  enough: () => boolean,
): Promise<number> {
  let count = 0;
  for (; !enough(); count++) {
    const { what, happens } = OUTAGES[count % OUTAGES.length]!;
    const victim = fleet.instances[Math.floor(chance() * fleet.instances.length)]!;
    const began = performance.now();
    await happens(fleet, victim);
    if (process.env.TOLD) process.stderr.write(`${what}: ${Math.round(performance.now() - began)} ms\n`);
    await pause(MIN_PAUSE_MS + chance() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
  }
  return count;
}
