import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { Randomness } from '../../kernel/ids.js';

/** Ids ascend even within a millisecond, so inserts stay at the end of indexes. */
export class SystemRandomness extends Randomness {
  uuid(): string {
    return v7();
  }

  bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
