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

/** Events in position order. */
export interface TextPage {
  readonly texts: readonly StoredText[];
  /** Events of the same interval that cannot be read. */
  readonly damaged: readonly CorruptEventError[];
  /** Everything up to here was looked at; undefined if there is nothing at all. */
  readonly end: Position | undefined;
  /** There was no more. */
  readonly isLast: boolean;
}

/**
 * Reads the texts of stored events, the same before and after packing, an export and an import.
 * @throws CorruptEventError, UnavailableError
 */
export abstract class StoredTexts {
  /** Exclusive of `position`. @param unwanted categories whose events may be left out */
  abstract after(
    position: Position | undefined,
    max: number,
    unwanted?: readonly string[],
  ): Promise<TextPage>;
  /** In revision order, from a revision on; a missing stream is empty. */
  abstract stream(name: string, from: number, max: number): Promise<readonly StoredText[]>;
  /** The events at these positions in the same order; undefined where there is none. */
  abstract at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]>;
}
