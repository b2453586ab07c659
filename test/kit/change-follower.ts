import { publicTypeOf } from '../../src/contexts/webhooks/index.js';
import type { Answered } from './http/client.js';
import type { OpenFeed } from './panel-feed.js';
import { pause } from './polling.js';
import type { StoredEvent } from './stored-events.js';

interface Page {
  readonly items: readonly { readonly event_id: string }[];
  readonly next_cursor: string;
}

const BETWEEN_LOOKS_MS = 50;

/** A reader of changes that goes on with its cursor, whatever happens to the service. */
export class ChangeFollower {
  private readonly seen: string[] = [];
  private cursor: string | undefined;

  /** @param ask repeats a request until it is answered */
  constructor(private readonly ask: (query: string, headers: Record<string, string>) => Promise<Answered>) {}

  /** Resolves at the first empty answer once it is enough. */
  async follow(isEnough: () => boolean): Promise<void> {
    for (;;) {
      const wasEnough = isEnough();
      const after = this.cursor ? `&after=${this.cursor}` : '';
      const { status, text, body } = await this.ask(`?limit=50${after}`, { prefer: 'wait=1' });
      if (status === 304 && wasEnough) return;
      if (status === 304) continue;
      if (status !== 200) throw new Error(`no changes: ${text}`);
      const { items, next_cursor } = body.data as unknown as Page;
      this.seen.push(...items.map(({ event_id }) => event_id));
      this.cursor = next_cursor;
    }
  }

  /**
   * Reads server-sent events, each stream after the last id of the one before; then as `follow`.
   * @param open connects to any instance, with these headers
   */
  async followStreams(
    open: (headers: Record<string, string>) => Promise<OpenFeed>,
    isEnough: () => boolean,
  ): Promise<void> {
    while (!isEnough()) {
      try {
        await this.read(await open(this.cursor ? { 'last-event-id': this.cursor } : {}), isEnough);
      } catch (error) {
        if (/no feed: 4/.test(String(error))) throw error;
        await pause(BETWEEN_LOOKS_MS);
      }
    }
    await this.follow(isEnough);
  }

  /** What is wrong with what it has seen; it need not have seen the events from `end` on. */
  faults(events: readonly StoredEvent[], accounts: readonly string[], end = events.length) {
    const ids = publicIds(events, accounts);
    const due = publicIds(events.slice(0, end), accounts);
    const places = new Map(ids.map((id, n) => [id, n]));
    const seen = new Set<string>();
    const faults = { missing: 0, twice: 0, foreign: 0, disordered: 0 };
    let last = -1;
    for (const id of this.seen) {
      const place = places.get(id) ?? Infinity;
      if (place === Infinity) faults.foreign++;
      else if (seen.has(id)) faults.twice++;
      else if (place < last) faults.disordered++;
      else last = place;
      seen.add(id);
    }
    faults.missing = due.filter((id) => !seen.has(id)).length;
    return faults;
  }

  /** Number of events that it has seen. */
  get count(): number {
    return this.seen.length;
  }

  /** Until the stream ends or it is enough. */
  private async read(feed: OpenFeed, isEnough: () => boolean): Promise<void> {
    try {
      for (let next = feed.next(); ;) {
        const message = await Promise.race([next, pause(BETWEEN_LOOKS_MS, 'quiet' as const)]);
        if (message === undefined || (message === 'quiet' && isEnough())) return;
        if (message === 'quiet') continue;
        const { id, data } = message;
        if (data) this.seen.push(String(data.event_id));
        if (id) this.cursor = id;
        next = feed.next();
      }
    } finally {
      await feed.close().catch(() => undefined);
    }
  }
}

/** No event is seen twice, missing, unknown or out of order. */
export const NO_FAULTS = { missing: 0, twice: 0, foreign: 0, disordered: 0 };

/** Ids of the public events of these accounts, in order. */
function publicIds(events: readonly StoredEvent[], accounts: readonly string[]): readonly string[] {
  const wanted = new Set(accounts);
  const owners = new Map<string, string>();
  const ids: string[] = [];
  for (const { event_id, stream, type, data } of events) {
    if (!owners.has(stream)) owners.set(stream, String(data.accountId));
    if (wanted.has(owners.get(stream)!) && publicTypeOf({ type, data })) ids.push(event_id);
  }
  return ids;
}
