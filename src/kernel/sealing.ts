import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { sha256 } from './ids.js';

export interface SealedSecret {
  readonly keyId: string;
  /** Base64 of nonce, tag and ciphertext. */
  readonly box: string;
}

/** Sealed under another key or for another owner, or damaged. */
export class SecretUnreadableError extends Error {}

const CIPHER = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes @param nonce 12 random bytes, never reused */
export function sealSecret(
  key: Uint8Array,
  secret: string,
  binding: string,
  nonce: Uint8Array,
): SealedSecret {
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(binding));
  const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const box = Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
  return { keyId: keyIdOf(key), box: box.toString('base64') };
}

/** @throws SecretUnreadableError */
export function openSecret(key: Uint8Array, sealed: SealedSecret, binding: string): string {
  if (sealed.keyId !== keyIdOf(key)) throw new SecretUnreadableError('sealed under another master key');
  const box = Buffer.from(sealed.box, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(binding));
    decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const hidden = box.subarray(NONCE_BYTES + TAG_BYTES);
    return decipher.update(hidden, undefined, 'utf8') + decipher.final('utf8');
  } catch (error) {
    throw new SecretUnreadableError('damaged, or sealed for another owner', { cause: error });
  }
}

export function isSealedWith(key: Uint8Array, { keyId }: SealedSecret): boolean {
  return keyId === keyIdOf(key);
}

const keyIdOf = (key: Uint8Array) => sha256(key).slice(0, 16);

const KEY_BYTES = 32;
const NO_SALT = new Uint8Array(0);

/** Never exposed; callers get derived keys: HKDF-SHA256 (RFC 5869), whose info is the purpose. */
export class MasterKey {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** 32 bytes, constant per purpose; keys of different purposes are independent. */
  derive(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, NO_SALT, purpose, KEY_BYTES));
  }
}
