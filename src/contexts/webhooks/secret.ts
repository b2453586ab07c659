import { mintCredential } from '../../kernel/credential.js';

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
