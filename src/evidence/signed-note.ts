import { hash } from 'node:crypto';
import { SigningKey } from '../kernel/signing-key.js';

const ED25519 = 1;
const ID_BYTES = 4;

/** Signs C2SP signed notes. */
export class NoteKey {
  private readonly key: SigningKey;

  /** @param seed 32 bytes */
  constructor(seed: Uint8Array) {
    this.key = new SigningKey(seed);
  }

  /** What verifiers need. @param name of the key: the origin */
  vkey(name: string): string {
    const typed = Buffer.concat([Buffer.of(ED25519), this.key.publicKey]);
    return `${name}+${this.id(name).toString('hex')}+${typed.toString('base64')}`;
  }

  /** @param text whole lines */
  sign(name: string, text: string): string {
    const signature = this.key.sign(Buffer.from(text));
    return `${text}\n— ${name} ${Buffer.concat([this.id(name), signature]).toString('base64')}\n`;
  }

  private id(name: string): Buffer {
    const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), this.key.publicKey]);
    return hash('sha256', named, 'buffer').subarray(0, ID_BYTES);
  }
}
