import type { CheckpointStore, EventStore } from './event-store.port.js';
import type { Position } from '../../kernel/recorded-event.js';

/** Consecutive entries of one owner in the log index, in the form of `log-index/index-block.ts`. */
export interface IndexBlock {
  readonly owner: string;
  readonly first: Position;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Stores the log index, which can be dropped and built again from the events. @throws UnavailableError */
export abstract class IndexBlocks {
  /** Blocks of the owner in order, from the one that holds `position`, or else from the first. */
  abstract from(owner: string, position: Position, max: number): Promise<readonly IndexBlock[]>;
  /** The newest block of each of these owners that has one. */
  abstract newest(owners: readonly string[]): Promise<readonly IndexBlock[]>;
  /**
   * Durable when it resolves. A stored block of the same owner and first position is replaced unless it has as many
   * entries, so that a late writer takes nothing away.
   */
  abstract put(blocks: readonly IndexBlock[]): Promise<void>;
  /** Removes the blocks of all owners that sort before this text. */
  abstract clear(before: string): Promise<void>;
}

export interface IndexStores {
  readonly events: EventStore;
  readonly checkpoints: CheckpointStore;
  readonly blocks: IndexBlocks;
}
