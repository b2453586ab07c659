import type { Position } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { partitionOf } from '../../ports/partitions.js';
import { ReadProgress, type PlacedEvent } from '../../ports/remote-event-store.port.js';

/** A wait for events asks only the partitions of their streams, so a halted partition delays no other. */
export class PartitionedProgress extends ReadProgress {
  constructor(private readonly parts: readonly ReadProgress[]) {
    super();
  }

  projected(stream?: string): Position | undefined {
    if (stream !== undefined) return this.partOf(stream).projected();
    const shown = this.parts.map((part) => part.projected());
    return shown.includes(undefined) ? undefined : shown.sort()[0];
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    return all(this.parts.map((part) => part.waitFor(position, ms)));
  }

  override waitForEvents(events: readonly PlacedEvent[], ms: Milliseconds): Promise<boolean> {
    const ownOf = (part: ReadProgress) => events.filter(({ stream }) => this.partOf(stream) === part);
    return all(this.parts.map((part) => part.waitForEvents(ownOf(part), ms)));
  }

  override partOf(stream: string): ReadProgress {
    return this.parts[partitionOf(stream, this.parts.length)]!;
  }
}

async function all(waits: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(waits)).every(Boolean);
}
