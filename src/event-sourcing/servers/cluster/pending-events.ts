import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';

/** Events of the subscription that listeners have not received, in order. */
export class PendingEvents {
  private readonly events: RecordedEvent[] = [];
  private head: Position = '';
  /** No event is missing between this position and the first one; undefined: unknown. */
  private before: Position | undefined;

  get length(): number {
    return this.events.length;
  }

  get all(): readonly RecordedEvent[] {
    return this.events;
  }

  /** Events between two subscriptions are missing. */
  begin(head: Position | undefined): void {
    this.head = head ?? '';
    this.before = this.events.length > 0 ? undefined : this.head;
  }

  add(events: readonly RecordedEvent[]): void {
    this.events.push(...events);
  }

  /** No event is missing between this position and `index`; undefined: unknown. */
  positionBefore(index: number): Position | undefined {
    return this.before !== undefined && index > 0 ? this.events[index - 1]!.position : this.before;
  }

  drop(count: number): void {
    const last = this.events.splice(0, count).at(-1)?.position;
    if (last === undefined || (this.before === undefined && this.events.length > 0)) return;
    this.before = last > this.head ? last : this.head;
  }
}
