import type { Position } from '../kernel/recorded-event.js';

/**
 * How far readers of the log have come. A lost checkpoint costs a replay, which writes nothing; so readers may store
 * theirs seldom.
 */
export abstract class CheckpointStore {
  abstract get(name: string): Promise<Position | undefined>;
  /** Durable when it resolves. Never moves backwards: an earlier position than the stored one changes nothing. */
  abstract put(name: string, position: Position): Promise<void>;
}
