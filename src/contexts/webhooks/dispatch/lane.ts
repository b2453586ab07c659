import type { Birth } from '../../../ports/view-store.port.js';

/** How a request ended, as far as it matters to the next one. `unsent`: nothing left the house. */
export type Ending = 'success' | 'timeout' | 'failure' | 'unsent';

/** Requests in flight to one endpoint; only one after this many timeouts in a row. */
export const WIDE = 4;
export const NARROW = 1;
const TIMEOUTS_TO_NARROW = 3;

/** The most deliveries a lane remembers by id; what more there is, the view knows. */
export const REMEMBERED = 100;

/** What is to go to one webhook: the oldest by id, and whether the view holds more. */
export class Lane {
  private waiting: string[] = [];
  private readonly held = new Set<string>();
  /** The view may hold ready deliveries that are not remembered here: it is read page by page, oldest first. */
  private more = false;
  private looking = false;
  /** Where the next page begins. */
  private after: Birth | undefined;
  /** Something was not remembered while pages were read: they are read once more. */
  private again = false;
  private timeouts = 0;
  /** Requests under way, and room promised to one. */
  inFlight = 0;

  constructor(readonly webhookId: string) {}

  get limit(): number {
    return this.timeouts >= TIMEOUTS_TO_NARROW ? NARROW : WIDE;
  }

  get hasRoom(): boolean {
    return this.inFlight < this.limit;
  }

  /** Something can be done for it now. */
  get isRunnable(): boolean {
    return this.hasRoom && (this.waiting.length > 0 || (this.more && !this.looking));
  }

  /** Nothing waits, nothing is unknown: who comes now is the next. */
  get isFree(): boolean {
    return this.hasRoom && this.waiting.length === 0 && !this.more && !this.looking;
  }

  /** Nothing would be lost by forgetting it. */
  get isIdle(): boolean {
    return this.held.size === 0 && this.inFlight === 0 && !this.more && !this.looking && this.timeouts === 0;
  }

  get remembered(): number {
    return this.held.size;
  }

  /** The newest delivery that is ready. @param room whether it may be remembered */
  add(deliveryId: string, room: boolean): void {
    if (this.held.has(deliveryId)) return;
    if (this.more || this.looking || !room || this.waiting.length >= REMEMBERED) this.lookAgain();
    else this.remember(deliveryId);
  }

  /** The view may hold what is not known here. */
  lookAgain(): void {
    if (this.looking || this.after !== undefined) this.again = true;
    this.more = true;
  }

  /** The next delivery, oldest first; otherwise the view must be looked into first, and `found` told. */
  take(): { readonly deliveryId: string } | { readonly after: Birth | undefined } {
    const deliveryId = this.waiting.shift();
    if (deliveryId !== undefined) return { deliveryId };
    this.more = false;
    this.looking = true;
    return { after: this.after };
  }

  /** @param last where the page ended; undefined: it was the last one */
  found(deliveryIds: readonly string[], last: Birth | undefined): void {
    this.looking = false;
    for (const id of deliveryIds) if (!this.held.has(id)) this.remember(id);
    this.after = last;
    if (last === undefined) {
      this.more = this.again;
      this.again = false;
    } else this.more = true;
  }

  /** The delivery is not ours to think of any more. */
  release(deliveryId: string): void {
    this.held.delete(deliveryId);
  }

  /** Nothing goes to this webhook until somebody asks to look again. */
  clear(): void {
    for (const id of this.waiting) this.held.delete(id);
    this.waiting = [];
    this.more = false;
    this.looking = false;
    this.again = false;
    this.after = undefined;
  }

  /** Holds one that did not wait, so that no look finds it again. */
  hold(deliveryId: string): void {
    this.held.add(deliveryId);
  }

  ended(ending: Ending): void {
    this.inFlight--;
    if (ending === 'timeout') this.timeouts++;
    else if (ending === 'success') this.timeouts = 0;
    // Three in a row narrow the lane; then only a success widens it.
    else if (ending === 'failure' && this.timeouts < TIMEOUTS_TO_NARROW) this.timeouts = 0;
  }

  private remember(deliveryId: string): void {
    this.held.add(deliveryId);
    this.waiting.push(deliveryId);
  }
}
