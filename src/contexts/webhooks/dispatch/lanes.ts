import type { Birth } from '../../../ports/view-store.port.js';
import { Lane, REMEMBERED, type Ending } from './lane.js';

/** Requests in flight over all endpoints. */
export const IN_ALL = 64;
/** Ids remembered over all lanes: beyond, a lane keeps only a few and asks the view more often. */
const REMEMBERED_IN_ALL = 20_000;
const FEW = 8;

/** What to do next for a webhook: make an attempt, or look into the view and say what was found. */
export type Turn =
  | { readonly kind: 'attempt'; readonly webhookId: string; readonly deliveryId: string }
  | { readonly kind: 'look'; readonly webhookId: string; readonly page: ReadyPage };

/** Ready deliveries of a webhook, oldest first. */
export interface ReadyPage {
  readonly after: Birth | undefined;
  readonly limit: number;
}

interface Asker {
  readonly webhookId: string;
  readonly admit: () => void;
}

/**
 * Who may send next: round robin over webhooks, at most 4 requests to one and 64 in all, so that nobody's endpoint
 * holds up another's. Holds no more than some thousand ids, whatever is pending. No clock, no store.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  /** In the order of their turns. */
  private readonly runnable = new Set<Lane>();
  /** People who wait for an attempt: they go before what is queued. */
  private askers: Asker[] = [];
  private remembered = 0;
  private inFlight = 0;

  /** Requests under way, and room promised. */
  get busy(): number {
    return this.inFlight;
  }

  get size(): number {
    return this.lanes.size;
  }

  /** A delivery has become ready, the newest of its webhook. */
  add(webhookId: string, deliveryId: string): void {
    this.change(webhookId, (lane) => lane.add(deliveryId, this.remembered < REMEMBERED_IN_ALL));
  }

  /** The webhook may have more ready than is known here. */
  lookAgain(webhookId: string): void {
    this.change(webhookId, (lane) => lane.lookAgain());
  }

  /** What was found by a look. @param last where the page ended; undefined: it was the last one */
  found(webhookId: string, deliveryIds: readonly string[], last: Birth | undefined): void {
    this.change(webhookId, (lane) => lane.found(deliveryIds, last));
  }

  /** Forgets what waits for a webhook that takes nothing now. */
  clear(webhookId: string): void {
    this.change(webhookId, (lane) => lane.clear());
  }

  /** Forgets what waits, for all webhooks. */
  clearAll(): void {
    for (const webhookId of this.lanes.keys()) this.clear(webhookId);
  }

  /** The next turn; an attempt takes its room with it until `ended`. */
  next(): Turn | undefined {
    if (this.inFlight >= IN_ALL) return undefined;
    for (const lane of this.runnable) {
      const { webhookId } = lane;
      this.runnable.delete(lane);
      const taken = lane.take();
      if ('deliveryId' in taken) this.occupy(lane);
      this.settle(lane);
      if ('deliveryId' in taken) return { kind: 'attempt', webhookId, ...taken };
      return { kind: 'look', webhookId, page: { ...taken, limit: this.pageSize } };
    }
    return undefined;
  }

  /** Takes room for a delivery that goes before no other: nothing waits for the webhook, nothing is unknown. */
  reserve(webhookId: string): boolean {
    if (this.inFlight >= IN_ALL || this.askers.length > 0) return false;
    const lane = this.laneOf(webhookId);
    if (lane.isFree) this.occupy(lane);
    else return false;
    this.settle(lane);
    return true;
  }

  /** The room was taken for this delivery. */
  hold(webhookId: string, deliveryId: string): void {
    this.change(webhookId, (lane) => lane.hold(deliveryId));
  }

  /** Calls `admit` when there is room, before anything queued; the room is taken. Returns how to give up. */
  ask(webhookId: string, admit: () => void): () => void {
    const asker = { webhookId, admit };
    this.askers.push(asker);
    this.admitAskers();
    return () => {
      this.askers = this.askers.filter((other) => other !== asker);
    };
  }

  /** The room is free again. */
  ended(webhookId: string, ending: Ending): void {
    this.inFlight--;
    this.change(webhookId, (lane) => lane.ended(ending));
    this.admitAskers();
  }

  /** The delivery may be given a turn again, should it be ready. */
  release(webhookId: string, deliveryId: string): void {
    this.change(webhookId, (lane) => lane.release(deliveryId));
  }

  private get pageSize(): number {
    return this.remembered < REMEMBERED_IN_ALL ? REMEMBERED : FEW;
  }

  private admitAskers(): void {
    for (const asker of this.askers) {
      if (this.inFlight >= IN_ALL) return;
      const lane = this.laneOf(asker.webhookId);
      if (!lane.hasRoom) continue;
      this.askers = this.askers.filter((other) => other !== asker);
      this.occupy(lane);
      this.settle(lane);
      asker.admit();
    }
  }

  private occupy(lane: Lane): void {
    lane.inFlight++;
    this.inFlight++;
  }

  private laneOf(webhookId: string): Lane {
    const known = this.lanes.get(webhookId);
    if (known) return known;
    const lane = new Lane(webhookId);
    this.lanes.set(webhookId, lane);
    return lane;
  }

  private change(webhookId: string, change: (lane: Lane) => void): void {
    const lane = this.laneOf(webhookId);
    const before = lane.remembered;
    change(lane);
    this.remembered += lane.remembered - before;
    this.settle(lane);
  }

  /** A lane that can run again goes to the end of the round; one with nothing to remember goes. */
  private settle(lane: Lane): void {
    if (lane.isRunnable) this.runnable.add(lane);
    else this.runnable.delete(lane);
    if (lane.isIdle) this.lanes.delete(lane.webhookId);
  }
}
