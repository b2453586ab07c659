import { Injectable } from '@nestjs/common';
import {
  MasterKey,
  isSealedWith,
  NONCE_BYTES,
  openSecret,
  sealSecret,
  type SealedSecret,
} from '../../kernel/sealing.js';
import { Randomness } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';
import { mintCredential } from '../../kernel/credential.js';
import type { EndpointEventData } from './domain/endpoint.events.js';
import { signingSecrets, type Webhook } from './domain/endpoint.state.js';

export { SecretUnreadableError } from '../../kernel/sealing.js';

const PURPOSE = 'webhook-secrets';

/** Derives its key from the master key; a secret opens only for its own webhook. */
@Injectable()
export class SecretBox {
  private readonly key: Uint8Array;

  constructor(
    masterKey: MasterKey,
    private readonly randomness: Randomness,
  ) {
    this.key = masterKey.derive(PURPOSE);
  }

  seal(secret: string, accountId: string, webhookId: string): SealedSecret {
    const nonce = this.randomness.bytes(NONCE_BYTES);
    return sealSecret(this.key, secret, bindingOf(accountId, webhookId), nonce);
  }

  /** @throws SecretUnreadableError */
  open(sealed: SealedSecret, accountId: string, webhookId: string): string {
    return openSecret(this.key, sealed, bindingOf(accountId, webhookId));
  }

  /** Newest first, without older unreadable secrets. @throws SecretUnreadableError for the newest */
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

export const SEALING_EVENTS = [
  'WebhookCreated',
  'WebhookSecretRotated',
] as const satisfies readonly (keyof EndpointEventData)[];

export function isSealedUnder(masterKey: MasterKey, sealed: SealedSecret): boolean {
  return isSealedWith(masterKey.derive(PURPOSE), sealed);
}

const bindingOf = (accountId: string, webhookId: string) => `${accountId}:${webhookId}`;

/** `whsec_live_…`: id of its webhook, 256 random bits and a checksum. @param random 32 bytes */
export function mintWebhookSecret(webhookId: string, random: Uint8Array): string {
  return mintCredential('whsec_live_', webhookId, random);
}

/** The same key in the form of the public Standard Webhooks libraries. */
export function standardWebhooksSecret(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}
