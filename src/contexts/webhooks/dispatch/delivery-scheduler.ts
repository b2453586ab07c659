import type { Cursor } from '../ports.js';
import { EndpointQueue, MAX_IDS, type Ending, type ReadyPage } from './endpoint-queue.js';

export const MAX_IN_FLIGHT = 64;
/** Concurrent reads of pages; the store serves other readers too. */
const MAX_READS = 4;
/** Ids in all queues; beyond it pages are short and read more often. */
const MAX_IDS_IN_ALL = 20_000;
const FEW_IDS = 8;
/** Deliveries of one webhook that wait for earlier ones in memory; the others are found by a survey. */
const MAX_BLOCKED = 1_000;

export interface Slot {
  readonly webhookId: string;
  /** Held until `release`, so that it gets no second slot; undefined in the slot of a manual attempt. */
  readonly deliveryId?: string;
}

export interface HeldSlot extends Slot {
  readonly deliveryId: string;
}

interface Request {
  readonly webhookId: string;
  readonly admit: () => void;
}

/** Round robin, at most 4 requests to one endpoint and 64 in all, so that none delays another. Pure. */
export class DeliveryScheduler {
  private readonly queues = new Map<string, EndpointQueue>();
  /** In round-robin order. */
  private readonly sendable = new Set<EndpointQueue>();
  private readonly readable = new Set<EndpointQueue>();
  /** Deliveries by the one that they wait for. */
  private readonly blocked = new Map<string, HeldSlot[]>();
  private requests: Request[] = [];
  private idCount = 0;
  private inFlight = 0;
  private reads = 0;

  get busy(): number {
    return this.inFlight;
  }

  get size(): number {
    return this.queues.size;
  }

  add(webhookId: string, deliveryId: string): void {
    this.change(webhookId, (queue) => queue.add(deliveryId, this.hasMemory));
  }

  /** The view may list ready deliveries that are not held here. */
  readAgain(webhookId: string): void {
    this.change(webhookId, (queue) => queue.readAgain());
  }

  addPage(page: ReadyPage, deliveryIds: readonly string[], next: Cursor | undefined): void {
    this.reads--;
    this.change(page.webhookId, (queue) => queue.addPage(page, deliveryIds, next));
  }

  /** Keeps a delivery out of its queue until `unblock`. */
  block(webhookId: string, deliveryId: string, by: string): void {
    const queue = this.queueOf(webhookId);
    if (!this.hasMemory || queue.idCount >= MAX_BLOCKED) return this.settle(queue);
    this.change(webhookId, () => queue.hold(deliveryId));
    this.blocked.set(by, [...(this.blocked.get(by) ?? []), { webhookId, deliveryId }]);
  }

  unblock(by: string): void {
    const slots = this.blocked.get(by) ?? [];
    this.blocked.delete(by);
    for (const { webhookId, deliveryId } of slots) {
      this.release(webhookId, deliveryId);
      this.add(webhookId, deliveryId);
    }
  }

  /** The view lists them again. */
  releaseBlocked(): void {
    for (const { webhookId, deliveryId } of [...this.blocked.values()].flat())
      this.release(webhookId, deliveryId);
    this.blocked.clear();
  }

  clear(webhookId: string): void {
    this.change(webhookId, (queue) => queue.clear());
  }

  clearAll(): void {
    this.releaseBlocked();
    for (const webhookId of this.queues.keys()) this.clear(webhookId);
  }

  next(): HeldSlot | undefined {
    if (this.inFlight >= MAX_IN_FLIGHT) return undefined;
    const [queue] = this.sendable;
    if (!queue) return undefined;
    this.sendable.delete(queue);
    const deliveryId = queue.take()!;
    this.occupy(queue);
    return { webhookId: queue.webhookId, deliveryId };
  }

  /** The page is pending until `addPage`. */
  nextPage(): ReadyPage | undefined {
    if (this.inFlight >= MAX_IN_FLIGHT || this.reads >= MAX_READS) return undefined;
    const [queue] = this.readable;
    if (!queue) return undefined;
    this.reads++;
    const page = queue.startPage(this.hasMemory ? MAX_IDS : FEW_IDS);
    this.settle(queue);
    return page;
  }

  /** Only if no other delivery precedes it. */
  reserve(webhookId: string, deliveryId: string): HeldSlot | undefined {
    if (this.inFlight >= MAX_IN_FLIGHT || this.requests.length > 0) return undefined;
    const queue = this.queueOf(webhookId);
    if (!queue.isFree) return undefined;
    this.occupy(queue);
    this.change(webhookId, () => queue.hold(deliveryId));
    return { webhookId, deliveryId };
  }

  /** Calls `admit` once a slot is taken, ahead of the queues. Returns a function that gives up. */
  request(webhookId: string, admit: () => void): () => void {
    const request = { webhookId, admit };
    this.requests.push(request);
    this.admitRequests();
    return () => {
      this.requests = this.requests.filter((other) => other !== request);
    };
  }

  free(webhookId: string, ending: Ending): void {
    this.inFlight--;
    this.change(webhookId, (queue) => queue.ended(ending));
    this.admitRequests();
  }

  release(webhookId: string, deliveryId: string): void {
    this.change(webhookId, (queue) => queue.release(deliveryId));
  }

  private get hasMemory(): boolean {
    return this.idCount < MAX_IDS_IN_ALL;
  }

  private admitRequests(): void {
    for (const request of this.requests) {
      if (this.inFlight >= MAX_IN_FLIGHT) return;
      const queue = this.queueOf(request.webhookId);
      if (!queue.hasRoom) continue;
      this.requests = this.requests.filter((other) => other !== request);
      this.occupy(queue);
      request.admit();
    }
  }

  private occupy(queue: EndpointQueue): void {
    queue.inFlight++;
    this.inFlight++;
    this.settle(queue);
  }

  private queueOf(webhookId: string): EndpointQueue {
    const known = this.queues.get(webhookId);
    if (known) return known;
    const queue = new EndpointQueue(webhookId);
    this.queues.set(webhookId, queue);
    return queue;
  }

  private change(webhookId: string, change: (queue: EndpointQueue) => void): void {
    const queue = this.queueOf(webhookId);
    const before = queue.idCount;
    change(queue);
    this.idCount += queue.idCount - before;
    this.settle(queue);
  }

  /** A queue with further work moves to the end of the round; an idle one is dropped. */
  private settle(queue: EndpointQueue): void {
    if (queue.canSend) this.sendable.add(queue);
    else this.sendable.delete(queue);
    if (queue.canRead) this.readable.add(queue);
    else this.readable.delete(queue);
    if (queue.isIdle) this.queues.delete(queue.webhookId);
  }
}
