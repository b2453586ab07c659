import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { MasterKey, NONCE_BYTES, seal, unseal } from '../kernel/sealing.js';
import type { CreationPosition } from '../kernel/recorded-event.js';

/** Identifies a list: plain JSON with fields in a fixed order. */
export type CursorScope = Readonly<Record<string, string | boolean | undefined | object>>;

/** Says what is wrong with a parameter `cursor`. */
export const INVALID_CURSOR = 'must be a next_cursor of this list, as it was returned';

/** Clients cannot forge a cursor or use it for another scope. */
@Injectable()
export class Cursors {
  readonly #key: Uint8Array;
  readonly #nonceKey: Uint8Array;

  constructor(masterKey: MasterKey) {
    this.#key = masterKey.derive('cursors: sealing');
    this.#nonceKey = masterKey.derive('cursors: nonces');
  }

  /** A nonce from scope and position: the same page always yields the same cursor. */
  seal(scope: CursorScope, after: CreationPosition): string {
    const bound = JSON.stringify(scope);
    const mac = createHmac('sha256', this.#nonceKey).update(`${bound}\n${after}`);
    return seal(this.#key, after, bound, mac.digest().subarray(0, NONCE_BYTES)).toString('base64url');
  }

  /** Undefined for another key or scope. */
  open(scope: CursorScope, cursor: string): CreationPosition | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.toString('base64url') !== cursor) return undefined;
    try {
      return unseal(this.#key, bytes, JSON.stringify(scope));
    } catch {
      return undefined;
    }
  }
}
