import type { Milliseconds } from '../../kernel/time.js';
import type { EventStore } from '../ports/event-store.port.js';

const PAGE = 100;
/** No caller waits, and a later run repeats the rest. */
const PROJECTED_WITHIN_MS: Milliseconds = 10_000;

export interface Ending<T> {
  /** A page of the items that the read model shows as not ended, in a stable order. */
  list(page: { readonly limit: number; readonly offset: number }): Promise<readonly T[]>;
  /** False if the item stays in the list for now. */
  end(one: T): Promise<boolean>;
  readonly atMost?: number;
}

/** Lets the read models catch up before each page, which ended items would shift. @throws UnavailableError */
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
      // A wrong read model lists ended items: without this the loop would never end.
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
