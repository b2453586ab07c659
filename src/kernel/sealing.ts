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

/** Nonce, tag and ciphertext. @param key 32 bytes @param nonce 12 bytes, never reused for another text */
export function seal(key: Uint8Array, text: string, binding: string, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(binding));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
}

/** @throws Error for another key or binding, or for other bytes */
export function unseal(key: Uint8Array, box: Uint8Array, binding: string): string {
  const nonce = box.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding)).setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

export function sealSecret(
  key: Uint8Array,
  secret: string,
  binding: string,
  nonce: Uint8Array,
): SealedSecret {
  return { keyId: keyIdOf(key), box: seal(key, secret, binding, nonce).toString('base64') };
}

/** @throws SecretUnreadableError */
export function openSecret(key: Uint8Array, { keyId, box }: SealedSecret, binding: string): string {
  if (keyId !== keyIdOf(key)) throw new SecretUnreadableError('sealed under another master key');
  try {
    return unseal(key, Buffer.from(box, 'base64'), binding);
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
