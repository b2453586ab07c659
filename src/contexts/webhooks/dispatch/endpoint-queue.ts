import type { DeliveryFailureCode } from '../domain/delivery.events.js';
import type { Cursor, PageRequest, WebhookRef } from '../ports.js';

/** `unsent`: no request was sent. */
export type Ending = 'success' | 'timeout' | 'failure' | 'unsent';

export function endingOf(failureCode: DeliveryFailureCode | undefined): Ending {
  if (failureCode === undefined) return 'success';
  return failureCode === 'TIMEOUT' ? 'timeout' : 'failure';
}

export interface ReadyPage extends PageRequest, WebhookRef {}

/** Requests in flight to one endpoint; only one after this many timeouts in a row. */
export const WIDE = 4;
const NARROW = 1;
const TIMEOUTS_TO_NARROW = 3;

/** Further deliveries are read from the view. */
export const MAX_IDS = 100;

/** The oldest deliveries of one endpoint by id, and whether the view may list more. */
export class EndpointQueue {
  private waiting: string[] = [];
  private readonly held = new Set<string>();
  private hasUnread = false;
  private page: ReadyPage | undefined;
  private nextPage: Cursor | undefined;
  /** Set while pages are read, if a ready delivery was left to the view. */
  private startOver = false;
  private timeouts = 0;
  inFlight = 0;

  constructor(readonly webhook: WebhookRef) {}

  get limit(): number {
    return this.timeouts >= TIMEOUTS_TO_NARROW ? NARROW : WIDE;
  }

  get hasRoom(): boolean {
    return this.inFlight < this.limit;
  }

  get canSend(): boolean {
    return this.hasRoom && this.waiting.length > 0;
  }

  get canRead(): boolean {
    return this.hasRoom && this.waiting.length === 0 && this.hasUnread && !this.page;
  }

  get isFree(): boolean {
    return this.hasRoom && this.waiting.length === 0 && !this.hasUnread && !this.page;
  }

  get isIdle(): boolean {
    return (
      this.held.size === 0 && this.inFlight === 0 && !this.hasUnread && !this.page && this.timeouts === 0
    );
  }

  get idCount(): number {
    return this.held.size;
  }

  /** @param hasMemory whether the id may be kept */
  add(deliveryId: string, hasMemory: boolean): void {
    if (this.held.has(deliveryId)) return;
    if (this.hasUnread || this.page || !hasMemory || this.waiting.length >= MAX_IDS) this.readAgain();
    else this.enqueue(deliveryId);
  }

  readAgain(): void {
    if (this.page || this.nextPage !== undefined) this.startOver = true;
    this.hasUnread = true;
  }

  take(): string | undefined {
    return this.waiting.shift();
  }

  startPage(limit: number): ReadyPage {
    const after = this.nextPage;
    this.hasUnread = false;
    this.page = { ...this.webhook, limit, ...(after !== undefined && { after }) };
    return this.page;
  }

  /** Ignored if the queue was cleared during the read. @param next absent on the last page */
  addPage(page: ReadyPage, deliveryIds: readonly string[], next: Cursor | undefined): void {
    if (page !== this.page) return;
    this.page = undefined;
    for (const id of deliveryIds) if (!this.held.has(id)) this.enqueue(id);
    this.nextPage = next;
    if (next === undefined) {
      this.hasUnread = this.startOver;
      this.startOver = false;
    } else this.hasUnread = true;
  }

  /** Pauses sending until `readAgain` or `add`. */
  clear(): void {
    for (const id of this.waiting) this.held.delete(id);
    this.waiting = [];
    this.hasUnread = false;
    this.page = undefined;
    this.startOver = false;
    this.nextPage = undefined;
  }

  /** Prevents a page from adding an attempt that did not wait here. */
  hold(deliveryId: string): void {
    this.held.add(deliveryId);
  }

  release(deliveryId: string): void {
    this.held.delete(deliveryId);
  }

  ended(ending: Ending): void {
    this.inFlight--;
    if (ending === 'timeout') this.timeouts++;
    else if (ending === 'success') this.timeouts = 0;
    // After three timeouts in a row, only a success resets the count.
    else if (ending === 'failure' && this.timeouts < TIMEOUTS_TO_NARROW) this.timeouts = 0;
  }

  private enqueue(deliveryId: string): void {
    this.held.add(deliveryId);
    this.waiting.push(deliveryId);
  }
}
