import type { Cursor, WebhookRef } from '../ports.js';
import { AccountRound } from './account-round.js';
import { EndpointQueue, MAX_IDS, type Ending, type ReadyPage } from './endpoint-queue.js';
import { SharedPool } from '../../../async/shared-pool.js';

export const MAX_IN_FLIGHT = 64;
/** Concurrent reads of pages; the store serves other readers too. */
const MAX_READS = 4;
/** Ids in all queues; beyond it pages are short and read more often. */
const MAX_IDS_IN_ALL = 20_000;
const FEW_IDS = 8;
/** Deliveries of one webhook that wait for earlier ones in memory; the others are found by a survey. */
const MAX_BLOCKED = 1_000;

export interface Slot extends WebhookRef {
  /** Held until `release`, so that it gets no second slot; undefined in the slot of a manual attempt. */
  readonly deliveryId?: string;
}

export interface HeldSlot extends Slot {
  readonly deliveryId: string;
}

interface Request {
  readonly webhook: WebhookRef;
  readonly admit: () => void;
}

/**
 * Round robin over accounts and their endpoints, at most 4 requests to one endpoint and 64 in all. No account
 * holds more slots, reads or ids than are free, so that none delays another. Pure.
 */
export class DeliveryScheduler {
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly slots = new SharedPool(MAX_IN_FLIGHT);
  private readonly reads = new SharedPool(MAX_READS);
  private readonly ids = new SharedPool(MAX_IDS_IN_ALL);
  private readonly sendable = new AccountRound();
  private readonly readable = new AccountRound();
  /** Deliveries by the one that they wait for. */
  private readonly blocked = new Map<string, HeldSlot[]>();
  private requests: Request[] = [];

  get busy(): number {
    return this.slots.busy;
  }

  get size(): number {
    return this.queues.size;
  }

  add(webhook: WebhookRef, deliveryId: string): void {
    this.change(webhook, (queue) => queue.add(deliveryId, this.ids.mayTake(webhook.accountId)));
  }

  /** The view may list ready deliveries that are not held here. */
  readAgain(webhook: WebhookRef): void {
    this.change(webhook, (queue) => queue.readAgain());
  }

  addPage(page: ReadyPage, deliveryIds: readonly string[], next: Cursor | undefined): void {
    this.reads.change(page.accountId, -1);
    this.change(page, (queue) => queue.addPage(page, deliveryIds, next));
  }

  /** Keeps a delivery out of its queue until `unblock`. */
  block(slot: HeldSlot, by: string): void {
    const queue = this.queueOf(slot);
    if (!this.ids.mayTake(slot.accountId) || queue.idCount >= MAX_BLOCKED) return this.settle(queue);
    this.change(slot, () => queue.hold(slot.deliveryId));
    this.blocked.set(by, [...(this.blocked.get(by) ?? []), slot]);
  }

  unblock(by: string): void {
    const slots = this.blocked.get(by) ?? [];
    this.blocked.delete(by);
    for (const slot of slots) {
      this.release(slot, slot.deliveryId);
      this.add(slot, slot.deliveryId);
    }
  }

  /** The view lists them again. */
  releaseBlocked(): void {
    for (const slot of [...this.blocked.values()].flat()) this.release(slot, slot.deliveryId);
    this.blocked.clear();
  }

  clear(webhook: WebhookRef): void {
    this.change(webhook, (queue) => queue.clear());
  }

  clearAll(): void {
    this.releaseBlocked();
    for (const { webhook } of this.queues.values()) this.clear(webhook);
  }

  next(): HeldSlot | undefined {
    if (this.slots.isFull) return undefined;
    const queue = this.sendable.next((accountId) => this.slots.mayTake(accountId));
    if (!queue) return undefined;
    const deliveryId = queue.take()!;
    this.occupy(queue);
    return { ...queue.webhook, deliveryId };
  }

  /** The page is pending until `addPage`. */
  nextPage(): ReadyPage | undefined {
    if (this.slots.isFull || this.reads.isFull) return undefined;
    const queue = this.readable.next(
      (accountId) => this.slots.mayTake(accountId) && this.reads.mayTake(accountId),
    );
    if (!queue) return undefined;
    const { accountId } = queue.webhook;
    this.reads.change(accountId, 1);
    const page = queue.startPage(this.ids.mayTake(accountId) ? MAX_IDS : FEW_IDS);
    this.settle(queue);
    return page;
  }

  /** Only if no other delivery precedes it. */
  reserve(webhook: WebhookRef, deliveryId: string): HeldSlot | undefined {
    const { accountId, webhookId } = webhook;
    if (!this.slots.mayTake(accountId)) return undefined;
    const queue = this.queueOf(webhook);
    if (!queue.isFree) return undefined;
    this.occupy(queue);
    this.change(webhook, () => queue.hold(deliveryId));
    return { accountId, webhookId, deliveryId };
  }

  /** Calls `admit` once a slot is taken, ahead of the queues. Returns a function that gives up. */
  request(webhook: WebhookRef, admit: () => void): () => void {
    const request = { webhook, admit };
    this.requests.push(request);
    this.admitRequests();
    return () => {
      this.requests = this.requests.filter((other) => other !== request);
    };
  }

  free(webhook: WebhookRef, ending: Ending): void {
    this.slots.change(webhook.accountId, -1);
    this.change(webhook, (queue) => queue.ended(ending));
    this.admitRequests();
  }

  release(webhook: WebhookRef, deliveryId: string): void {
    this.change(webhook, (queue) => queue.release(deliveryId));
  }

  private admitRequests(): void {
    for (const request of this.requests) {
      if (!this.slots.mayTake(request.webhook.accountId)) continue;
      const queue = this.queueOf(request.webhook);
      if (!queue.hasRoom) continue;
      this.requests = this.requests.filter((other) => other !== request);
      this.occupy(queue);
      request.admit();
    }
  }

  private occupy(queue: EndpointQueue): void {
    queue.inFlight++;
    this.slots.change(queue.webhook.accountId, 1);
    this.settle(queue);
  }

  private queueOf({ accountId, webhookId }: WebhookRef): EndpointQueue {
    const known = this.queues.get(webhookId);
    if (known) return known;
    const queue = new EndpointQueue({ accountId, webhookId });
    this.queues.set(webhookId, queue);
    return queue;
  }

  private change(webhook: WebhookRef, change: (queue: EndpointQueue) => void): void {
    const queue = this.queueOf(webhook);
    const before = queue.idCount;
    change(queue);
    this.ids.change(queue.webhook.accountId, queue.idCount - before);
    this.settle(queue);
  }

  /** Notes whether it has further work; an idle queue is dropped. */
  private settle(queue: EndpointQueue): void {
    if (queue.canSend) this.sendable.add(queue);
    else this.sendable.delete(queue);
    if (queue.canRead) this.readable.add(queue);
    else this.readable.delete(queue);
    if (queue.isIdle) this.queues.delete(queue.webhook.webhookId);
  }
}
