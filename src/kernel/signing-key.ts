import { createPrivateKey, createPublicKey, hash, sign, type KeyObject } from 'node:crypto';

/** DER of a PKCS #8 private key before its 32 bytes (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Ed25519: a text always gets the same signature. */
export class SigningKey {
  readonly #key: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Buffer;

  /** @param seed 32 bytes */
  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = Buffer.from(createPublicKey(this.#key).export({ format: 'jwk' }).x!, 'base64url');
  }

  sign(text: Uint8Array): Buffer {
    return sign(null, text, this.#key);
  }
}

/** A public key as RFC 8037 writes it; `kid` is its thumbprint (RFC 7638). */
export function jwkOf(publicKey: Uint8Array) {
  const x = Buffer.from(publicKey).toString('base64url');
  const required = { crv: 'Ed25519', kty: 'OKP', x };
  return {
    ...required,
    kid: hash('sha256', JSON.stringify(required), 'base64url'),
    use: 'sig',
    alg: 'EdDSA',
  };
}
