import type { CorruptEventError } from '../../kernel/errors.js';
import type { Position } from '../../kernel/recorded-event.js';

/** An event with the JSON texts that were appended. */
export interface StoredText {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/**
 * Reads the texts of stored events, the same before and after packing, an export and an import.
 * @throws CorruptEventError, UnavailableError
 */
export abstract class StoredTexts {
  /** In position order, exclusive of `position`. With `onCorrupt`, unreadable events are reported and left out. */
  abstract after(
    position: Position | undefined,
    max: number,
    onCorrupt?: (error: CorruptEventError) => void,
  ): Promise<readonly StoredText[]>;
  /** In revision order, from a revision on; a missing stream is empty. */
  abstract stream(name: string, from: number, max: number): Promise<readonly StoredText[]>;
  /** The events at these positions in the same order; undefined where there is none. */
  abstract at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]>;
}
