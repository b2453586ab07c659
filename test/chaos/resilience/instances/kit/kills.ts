import type { WorkerGroup, Fleet, Instance } from './fleet.js';
import { pause, until } from '../../../../kit/polling.js';

/** Above the duration of any take-over. */
const TAKEN_OVER_MS = 20_000;

/** Resolves to the only leader of the group. */
export function leaderOf(fleet: Fleet, group: WorkerGroup): Promise<Instance> {
  return until(`a leader of ${group}`, TAKEN_OVER_MS, async () => {
    const [leader, ...others] = await fleet.leaders(group);
    return others.length === 0 ? leader : undefined;
  });
}

export async function killAndRestart(fleet: Fleet, instance: Instance): Promise<void> {
  await fleet.kill(instance);
  await fleet.start(instance);
}

const MIN_MS = 2_000;
const LATEST_MS = 7_000;

/** Kills one random instance every few seconds and restarts it. Resolves to the number of kills. */
export async function killForAWhile(fleet: Fleet, ms: number, chance: () => number): Promise<number> {
  const began = performance.now();
  let kills = 0;
  for (; performance.now() - began < ms; kills++) {
    await pause(MIN_MS + chance() * (LATEST_MS - MIN_MS));
    const victim = fleet.instances[Math.floor(chance() * fleet.instances.length)]!;
    await killAndRestart(fleet, victim);
  }
  return kills;
}
