import { publicTypeOf } from '../../src/contexts/webhooks/index.js';
import type { Answered } from './http/client.js';
import type { StoredEvent } from './stored-events.js';

interface Page {
  readonly items: readonly { readonly event_id: string }[];
  readonly next_cursor: string;
}

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

  /** How many public events of these accounts it has not seen; fails unless it saw those before once and in order. */
  missing(events: readonly StoredEvent[], accounts: readonly string[]): number {
    const owners = new Map<string, string>();
    const ids: string[] = [];
    for (const { event_id, stream, type, data } of events) {
      if (!owners.has(stream)) owners.set(stream, String(data.accountId));
      if (accounts.includes(owners.get(stream)!) && publicTypeOf({ type, data })) ids.push(event_id);
    }
    expect(this.seen).toEqual(ids.slice(0, this.seen.length));
    return ids.length - this.seen.length;
  }
}
