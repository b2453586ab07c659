import type { Duty, Fleet, Instance } from './fleet.js';
import { until } from './until.js';

/** Longer than any take-over may take. */
const TAKEN_OVER_MS = 20_000;

/** Resolves to the one instance that does the duty. */
export function leaderOf(fleet: Fleet, duty: Duty): Promise<Instance> {
  return until(`somebody to do ${duty}`, TAKEN_OVER_MS, async () => {
    const [leader, ...others] = await fleet.leaders(duty);
    return others.length === 0 ? leader : undefined;
  });
}

export async function killAndRestart(fleet: Fleet, instance: Instance): Promise<void> {
  await fleet.kill(instance);
  await fleet.start(instance);
}
