import { createPrivateKey, createPublicKey, hash, sign, type KeyObject } from 'node:crypto';

/** DER of a PKCS #8 private key before its 32 bytes (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519 = 1;
const ID_BYTES = 4;

/** Signs C2SP signed notes as Ed25519, which always gives the same signature. */
export class NoteKey {
  readonly #key: KeyObject;
  private readonly publicKey: Buffer;

  /** @param seed 32 bytes */
  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = Buffer.from(createPublicKey(this.#key).export({ format: 'jwk' }).x!, 'base64url');
  }

  /** What verifiers need. @param name of the key: the origin */
  vkey(name: string): string {
    const typed = Buffer.concat([Buffer.of(ED25519), this.publicKey]);
    return `${name}+${this.id(name).toString('hex')}+${typed.toString('base64')}`;
  }

  /** @param text whole lines */
  sign(name: string, text: string): string {
    const signature = sign(null, Buffer.from(text), this.#key);
    return `${text}\n— ${name} ${Buffer.concat([this.id(name), signature]).toString('base64')}\n`;
  }

  private id(name: string): Buffer {
    const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), this.publicKey]);
    return hash('sha256', named, 'buffer').subarray(0, ID_BYTES);
  }
}
