import type { Position } from '../../kernel/recorded-event.js';

/**
 * Positions of readers of the log. A lost checkpoint costs a replay, which writes nothing, so readers may store
 * theirs rarely.
 */
export abstract class CheckpointStore {
  abstract get(name: string): Promise<Position | undefined>;
  /** Durable when it resolves. Never moves backwards: a position before the stored one is ignored. */
  abstract put(name: string, position: Position): Promise<void>;
}
