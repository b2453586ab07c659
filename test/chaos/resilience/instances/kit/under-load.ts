import { Fleet, type Role } from './fleet.js';
import type { StoredEvent } from '../../../../kit/stored-events.js';
import { SharedLoad, SHORT_TIMES, type Mood } from './shared-load.js';
import { until } from '../../../../kit/polling.js';

const MINUTE = 60_000;

export interface UnderLoad {
  readonly name: string;
  readonly seed: number;
  readonly roles?: readonly Role[];
  readonly env?: Readonly<Record<string, string>>;
  readonly mood?: Mood;
  /** Members of the event store; default one. */
  readonly members?: number;
  /** Faults of the fleet. Resolves to the number of kills, after each of which work may be repeated. */
  readonly happens: (
    fleet: Fleet,
    load: SharedLoad,
    more: (jobs: number) => Promise<void>,
  ) => Promise<number>;
}

/** Puts a fleet under load, runs the fault, and checks all promises. Resolves to the stored events. */
export async function underLoad({
  name,
  seed,
  roles = ['all', 'all', 'all'],
  env = {},
  mood,
  members,
  happens,
}: UnderLoad): Promise<{ readonly events: readonly StoredEvent[]; readonly unavailable: number }> {
  const fleet = await Fleet.start(roles, { ...SHORT_TIMES, ...env }, members);
  let load: SharedLoad | undefined;
  try {
    const running = (load = await SharedLoad.begin(fleet, seed, mood));
    const more = (jobs: number) => {
      const enough = running.journal.size + jobs;
      const isEnough = async () => (running.journal.size >= enough ? true : undefined);
      return running.during(async () => void (await until(`${enough} jobs`, MINUTE, isEnough)));
    };
    const kills = await running.during(() => happens(fleet, running, more));
    const events = await running.finish();
    const tally = await running.prove(events, kills);
    process.stdout.write(`${name}, SEED=${seed}, ${kills} kills: ${JSON.stringify(tally)}\n`);
    return { events, unavailable: fleet.trouble.unavailable };
  } catch (error) {
    if (process.env.FLEET_LOGS) process.stderr.write(fleet.logs);
    throw new Error(`${name}, SEED=${seed}`, { cause: error });
  } finally {
    await load?.abandon();
    await fleet.remove();
  }
}
