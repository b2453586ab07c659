/** The only source of ids and secrets. */
export abstract class Randomness {
  /** UUID version 7, lower case. */
  abstract uuid(): string;
  abstract bytes(count: number): Uint8Array;
}
