import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { Randomness } from '../../ports/randomness.port.js';

/** Ids from one process rise with time, also within a millisecond: indexes by id stay warm. */
export class SystemRandomness extends Randomness {
  uuid(): string {
    return v7();
  }

  bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
