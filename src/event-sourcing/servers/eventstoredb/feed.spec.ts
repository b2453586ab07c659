import type { Position } from '../../../kernel/recorded-event.js';
import { NOON, recordedAt } from '../../../../test/kit/recorded.js';
import type { FeedBatch } from '../../ports/remote-event-store.port.js';
import { feed, type FeedSource, type DeliveredBatch, type Subscription } from './subscription.js';

const tooSlow = Object.assign(
  new Error(
    '10 ABORTED: Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  ),
  { type: 'timeout', code: 10 },
);
const at = (place: number): DeliveredBatch => ({
  events: [{ ...recordedAt(NOON, 'note-1', place, { type: 'Noted', data: {} }), position: String(place) }],
  position: String(place),
  caughtUp: false,
});

/** Each script is one subscription: its batches, then the reason for its end. */
function scripted(...scripts: { handed: DeliveredBatch[]; reason: unknown }[]) {
  const subscribedAfter: (Position | undefined)[] = [];
  const waits: number[] = [];
  let drops = 0;
  const stop = new AbortController();
  const source: FeedSource = {
    newest: async () => undefined,
    async subscribe(after) {
      subscribedAfter.push(after as Position | undefined);
      const script = scripts.shift();
      if (!script) stop.abort();
      const batches = [...(script?.handed ?? [])];
      return {
        reason: script?.reason,
        next: async () => batches.shift(),
        close: () => undefined,
      } as unknown as Subscription;
    },
    interrupted: () => undefined,
    dropped: () => (drops += 1),
    wait: async (ms) => void waits.push(ms),
  };
  return {
    subscribedAfter,
    waits,
    drops: () => drops,
    async all(): Promise<FeedBatch[]> {
      const batches: FeedBatch[] = [];
      for await (const batch of feed(source, { max: 500, signal: stop.signal })) batches.push(batch);
      return batches;
    },
  };
}

describe('a subscription that the server drops in a burst', () => {
  it('restarts at once behind its last event', async () => {
    const the = scripted({ handed: [at(7)], reason: tooSlow }, { handed: [at(8)], reason: tooSlow });
    const batches = await the.all();
    expect(the.subscribedAfter).toEqual([undefined, '7', '8']);
    expect([the.waits, the.drops()]).toEqual([[], 2]);
    expect(batches.map(({ interrupted }) => interrupted)).toEqual([false, false]);
  });

  it('restarts after a wait if it received nothing', async () => {
    const the = scripted({ handed: [], reason: tooSlow }, { handed: [], reason: tooSlow });
    await the.all();
    expect([the.waits.length, the.drops()]).toEqual([2, 0]);
  });
});

describe('a subscription that is lost', () => {
  it('restarts after a wait', async () => {
    const lost = Object.assign(new Error('read ECONNRESET'), { type: 'unavailable' });
    const the = scripted({ handed: [at(7)], reason: lost });
    const batches = await the.all();
    expect([the.waits.length, the.drops()]).toEqual([1, 0]);
    expect(batches.map(({ interrupted }) => interrupted)).toEqual([false, true]);
  });
});
