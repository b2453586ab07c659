import { hkdfSync } from 'node:crypto';
import { MasterKey } from '../../kernel/sealing.js';

const KEY_BYTES = 32;
const NO_SALT = new Uint8Array(0);

/** HKDF-SHA256 (RFC 5869); the purpose is the info. */
export class HkdfMasterKey extends MasterKey {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    super();
    this.#secret = secret;
  }

  derive(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, NO_SALT, purpose, KEY_BYTES));
  }
}
