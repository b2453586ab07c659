import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../../kernel/ids.js';
import { MasterKey } from '../../ports/master-key.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import type { Instant } from '../../kernel/time.js';
import { mintCredential } from '../../kernel/credential.js';
import type { EndpointEventData, SealedSecret } from './domain/endpoint.events.js';
import { signingSecrets, type Webhook } from './domain/endpoint.state.js';

/** The secret was sealed under another master key, for another webhook, or is damaged. */
export class SecretUnreadableError extends Error {}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'webhook-secrets';

/**
 * Seals signing secrets with a key derived from the master key; each can be opened only for its own webhook.
 */
@Injectable()
export class SecretBox {
  private readonly key: Uint8Array;
  private readonly keyId: string;

  constructor(
    masterKey: MasterKey,
    private readonly randomness: Randomness,
  ) {
    this.key = masterKey.derive(PURPOSE);
    this.keyId = keyIdOf(this.key);
  }

  seal(secret: string, accountId: string, webhookId: string): SealedSecret {
    const nonce = this.randomness.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce);
    cipher.setAAD(bindingOf(accountId, webhookId));
    const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const box = Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
    return { keyId: this.keyId, box: box.toString('base64') };
  }

  /** @throws SecretUnreadableError */
  open(sealed: SealedSecret, accountId: string, webhookId: string): string {
    if (sealed.keyId !== this.keyId) throw new SecretUnreadableError('sealed under another master key');
    const box = Buffer.from(sealed.box, 'base64');
    try {
      const decipher = createDecipheriv(CIPHER, this.key, box.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bindingOf(accountId, webhookId));
      decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const hidden = box.subarray(NONCE_BYTES + TAG_BYTES);
      return decipher.update(hidden, undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new SecretUnreadableError('damaged, or sealed for another webhook', { cause: error });
    }
  }

  /**
   * The secrets that sign now, newest first, without an older one that cannot be opened.
   * @throws SecretUnreadableError if the newest cannot be opened
   */
  openSigning(webhook: Webhook, at: Instant, onError: (error: unknown) => void): [string, ...string[]] {
    const { accountId, webhookId } = webhook;
    const [newest, ...older] = signingSecrets(webhook, at);
    const secrets: [string, ...string[]] = [this.open(newest!, accountId, webhookId)];
    for (const sealed of older) {
      try {
        secrets.push(this.open(sealed, accountId, webhookId));
      } catch (error) {
        onError(error);
      }
    }
    return secrets;
  }
}

/** Events with a sealed `secret`. */
export const SEALING_EVENTS = [
  'WebhookCreated',
  'WebhookSecretRotated',
] as const satisfies readonly (keyof EndpointEventData)[];

/** True if a secret was sealed with this master key. */
export function isSealedUnder(masterKey: MasterKey, { keyId }: SealedSecret): boolean {
  return keyId === keyIdOf(masterKey.derive(PURPOSE));
}

const keyIdOf = (key: Uint8Array) => sha256(key).slice(0, 16);

function bindingOf(accountId: string, webhookId: string): Buffer {
  return Buffer.from(`${accountId}:${webhookId}`);
}

/**
 * `whsec_live_…`: contains the id of its webhook, 256 random bits and a checksum.
 * @param random 32 bytes
 */
export function mintWebhookSecret(webhookId: string, random: Uint8Array): string {
  return mintCredential('whsec_live_', webhookId, random);
}

/** The same key in the form of the public Standard Webhooks libraries. */
export function standardWebhooksSecret(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}
