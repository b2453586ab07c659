import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { CHECKPOINT } from '../../src/contexts/webhooks/fan-out/fan-out.js';
import { story, type Cast } from './job-story.js';

const JOBS_PER_APPEND = 200;
/** Concurrent appends, so that the writer never waits for input. */
const IN_FLIGHT = 4;

/**
 * Writes only the events of `jobs` jobs, each with the cast that `castOf` chooses by its number. Resolves to the number
 * of events in the store.
 */
export async function fill(dataDir: string, castOf: (n: number) => Cast, jobs: number): Promise<number> {
  const stores = await openEmbeddedStores({
    dataDir,
    projectionsUrl: new URL('./no-projections.js', import.meta.url).href,
    clock: new SystemClock(),
  });
  let told = 0;
  const lane = async () => {
    while (told < jobs) {
      const from = told;
      told = Math.min(jobs, from + JOBS_PER_APPEND);
      const appends = Array.from({ length: told - from }, (_, n) => story(castOf(from + n), from + n));
      await stores.events.appendInOrder(appends.flat());
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  const head = (await stores.events.head())!;
  // There are no webhooks: without this the service would read all events for them while it is measured.
  await stores.checkpoints.put(CHECKPOINT, head);
  await stores.close();
  return Number(head);
}
