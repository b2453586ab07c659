import type { Milliseconds } from '../../kernel/time.js';
import type { EventStore } from '../ports/event-store.port.js';

const PAGE = 100;
/** Nobody waits for an answer of it, and what is left undone now is begun again from the start. */
const PROJECTED_WITHIN_MS: Milliseconds = 10_000;

export interface Ending<T> {
  /** One page of those that the read model shows as not ended, in an order that stays. */
  list(page: { readonly limit: number; readonly offset: number }): Promise<readonly T[]>;
  /** Resolves to whether it leaves the list, by this call or another; false if it stays there, for now. */
  end(one: T): Promise<boolean>;
  /** Stops after about this many; absent: none is left. */
  readonly atMost?: number;
}

/**
 * Ends everything that a read model lists, until a whole look finds nothing to end. Each page is asked for when the
 * read models show all that is stored: what was ended has left the list then, so nothing is passed over.
 * @throws UnavailableError when they take too long
 */
export async function endAll<T>(
  events: Pick<EventStore, 'waitUntilProjected'>,
  ending: Ending<T>,
): Promise<void> {
  const { atMost = Infinity } = ending;
  for (let ended = 0; ended < atMost;) {
    const more = await endListed(events, { ...ending, atMost: atMost - ended });
    if (more <= 0) return;
    ended += more;
  }
}

/** One look at the list; resolves to how many were ended. */
async function endListed<T>(
  events: Pick<EventStore, 'waitUntilProjected'>,
  { list, end, atMost = Infinity }: Ending<T>,
): Promise<number> {
  let ended = 0;
  let left = 0;
  let before = '';
  for (;;) {
    await events.waitUntilProjected(PROJECTED_WITHIN_MS);
    const page = await list({ limit: PAGE, offset: left });
    if (page.length === 0) return ended;
    const shown = JSON.stringify(page);
    if (shown === before) {
      // A wrong read model lists what has ended: without this the look would never end.
      ended -= page.length;
      left += page.length;
      continue;
    }
    before = shown;
    const endedHere = (await Promise.all(page.map(end))).filter(Boolean).length;
    ended += endedHere;
    left += page.length - endedHere;
    if (ended >= atMost) return ended;
  }
}
