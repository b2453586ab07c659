import { checkIntegrity } from './integrity.js';
import { ServiceGone } from './service-process.js';
import { straceAt, type Series } from './strace.js';
import { World, type SeedFolder } from './world.js';

/** One request, or a wait for a timer. Repeated after a crash as by a client: same key, same id. */
export interface Step {
  readonly name: string;
  readonly run: (world: World) => Promise<void>;
}

/** A scripted sequence of requests. */
export interface Scenario {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts with an empty folder instead of the prepared one. */
  readonly fromNothing?: true;
  readonly steps: readonly Step[];
  /**
   * Checks the result, however often the scenario was interrupted; repeats requests that are safe to repeat.
   */
  readonly outcome: (world: World) => Promise<void>;
}

/** Crash points tested concurrently, because a start mostly waits for one core. */
const CONCURRENT = 2;
/** Far above any scenario; a series that does not end is a fault. */
const MAX_POINTS = 500;

/**
 * Kills the service at call 1, 2, 3, … of the series, or at every second one with 2 as `step`, until the scenario
 * completes uninterrupted. Resolves to the number of calls.
 */
export async function killAtEach(
  seed: SeedFolder,
  scenario: Scenario,
  series: Series,
  step = 1,
): Promise<number> {
  let next = 1;
  let ranThrough = MAX_POINTS;
  const worker = async (): Promise<void> => {
    while (next < ranThrough) {
      const n = next;
      next += step;
      const killed = await told(seed, scenario, series, n).catch((error: unknown) => {
        throw new Error(`${scenario.name}, killed at ${n} of the ${series.name}`, { cause: error });
      });
      if (!killed) ranThrough = Math.min(ranThrough, n);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENT }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  expect(ranThrough).toBeLessThan(MAX_POINTS);
  return ranThrough - 1;
}

/** Runs the scenario, interrupted at the n-th call; false if the scenario ended before. */
async function told(seed: SeedFolder, scenario: Scenario, series: Series, n: number): Promise<boolean> {
  const world = scenario.fromNothing ? await World.empty() : await seed.grow(scenario.env);
  try {
    const under = straceAt(series, world.dataDir, `signal=SIGKILL:when=${n}`);
    const left = await untilItDies(world, scenario.steps, () => world.start(under));
    if (left === undefined && (await isWell(world, scenario))) return false;
    expect(await world.ended()).toMatchObject({ signal: 'SIGKILL' });
    world.crashes++;
    await world.start();
    await checkIntegrity(world);
    for (const step of left ?? []) await named(step, world);
    await scenario.outcome(world);
    await checkIntegrity(world);
    return true;
  } finally {
    await world.remove();
  }
}

/** Checks the end; false if the n-th call was one that no step waits for, such as the write of a heartbeat. */
async function isWell(world: World, scenario: Scenario): Promise<boolean> {
  try {
    await scenario.outcome(world);
    await checkIntegrity(world);
    return true;
  } catch (error) {
    if (error instanceof ServiceGone) return false;
    throw error;
  }
}

/** The remaining steps, starting with the interrupted one; undefined if all are done. */
async function untilItDies(
  world: World,
  steps: readonly Step[],
  start: () => Promise<void>,
): Promise<readonly Step[] | undefined> {
  try {
    await start();
  } catch (error) {
    if (error instanceof ServiceGone) return steps;
    throw error;
  }
  for (const [n, step] of steps.entries()) {
    try {
      await named(step, world);
    } catch (error) {
      if (error instanceof ServiceGone) return steps.slice(n);
      throw error;
    }
  }
  return undefined;
}

async function named({ name, run }: Step, world: World): Promise<void> {
  try {
    await run(world);
  } catch (error) {
    if (error instanceof ServiceGone) throw error;
    throw new Error(`${name}: ${String(error)}`, { cause: error });
  }
}
