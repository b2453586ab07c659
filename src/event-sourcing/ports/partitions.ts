import type { RecordedEvent } from '../../kernel/recorded-event.js';

/** One of `count` parts of the streams. Each has a projector and read models of its own. */
export interface Partition {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** Names of streams end with a random id in hex, so its last digit divides them evenly, into 16 at most. */
const DIGITS = '0123456789abcdef';

export function partitions(count: number): readonly Partition[] {
  return Array.from({ length: count }, (_, index) => ({ index, count }));
}

/** Index of the partition of the stream. A name that does not end with a digit belongs to the first. */
export function partitionOf(stream: string, count: number): number {
  return Math.max(0, DIGITS.indexOf(stream.slice(-1))) % count;
}

/** Last digits of the streams of the partition. */
export function digitsOf({ index, count }: Partition): string {
  return [...DIGITS].filter((_, digit) => digit % count === index).join('');
}

/** @param partition absent: all */
export function eventsOf(
  partition: Partition | undefined,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  if (!partition) return events;
  return events.filter(({ stream }) => partitionOf(stream, partition.count) === partition.index);
}
