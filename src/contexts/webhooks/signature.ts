import { createHmac } from 'node:crypto';
import type { SigningKey } from '../../kernel/signing-key.js';

/** Only the product version contains dots. */
export interface Signing {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  /** Unix seconds of the attempt. */
  readonly timestamp: number;
  readonly productVersion: string;
  readonly secretVersion: number;
  /** The newest first, then the previous one while it still signs. */
  readonly secrets: readonly [string, ...string[]];
  /** Of the installation, for receivers that hold no secret. */
  readonly signingKey: SigningKey;
  readonly body: Uint8Array;
}

const API_VERSION = 'v1';
const SCHEMA_VERSION = 'v1';

/** The head, a dot and the raw body (docs/webhooks.md). */
export function canonicalMessage({ timestamp, eventId, productVersion, body }: Signing): Buffer {
  const head = [timestamp, eventId, productVersion, API_VERSION, SCHEMA_VERSION].join('.');
  return Buffer.concat([Buffer.from(`${head}.`), body]);
}

export function unsignedHeaders(
  signing: Omit<Signing, 'secrets' | 'signingKey' | 'body'>,
): Record<string, string> {
  const { eventId, timestamp } = signing;
  return {
    'content-type': 'application/json',
    'user-agent': `svc-webhooks/${signing.productVersion}`,
    'x-svc-event': signing.eventType,
    'x-svc-event-id': eventId,
    'x-svc-delivery-id': signing.deliveryId,
    'x-svc-timestamp': String(timestamp),
    'x-svc-version': signing.productVersion,
    'x-svc-api-version': API_VERSION,
    'x-svc-event-schema-version': SCHEMA_VERSION,
    'x-svc-secret-version': String(signing.secretVersion),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
  };
}

/** Of the contract, and of Standard Webhooks 1.0: with the same secrets (`v1`), and by Ed25519 (`v1a`). */
export function signedHeaders(signing: Signing): Record<string, string> {
  const { secrets, signingKey, eventId, timestamp, body } = signing;
  const canonical = canonicalMessage(signing);
  const standard = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]);
  const [current, previous] = secrets.map((secret) => `v1=${hmac(secret, canonical).toString('hex')}`);
  return {
    ...unsignedHeaders(signing),
    'x-svc-signature': current!,
    ...(previous !== undefined && { 'x-svc-signature-previous': previous }),
    'webhook-signature': [
      ...secrets.map((it) => `v1,${hmac(it, standard).toString('base64')}`),
      `v1a,${signingKey.sign(standard).toString('base64')}`,
    ].join(' '),
  };
}

function hmac(secret: string, message: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(message).digest();
}
