import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { MasterKey } from '../kernel/sealing.js';
import type { CreationPosition } from '../kernel/recorded-event.js';

/** Identifies a list: plain JSON with fields in a fixed order. */
export type CursorScope = Readonly<Record<string, string | boolean | undefined | object>>;

/** Says what is wrong with a parameter `cursor`. */
export const INVALID_CURSOR = 'must be a next_cursor of this list, as it was returned';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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
    const nonce = mac.digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(bound));
    const sealed = Buffer.concat([cipher.update(after, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Undefined for another key or scope. */
  open(scope: CursorScope, cursor: string): CreationPosition | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    const isWhole = bytes.length > NONCE_BYTES + TAG_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(JSON.stringify(scope))).setAuthTag(tag);
    try {
      const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
