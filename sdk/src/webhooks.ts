import type { WebhookEvent } from './generated/webhooks.js';

export type * from './generated/webhooks.js';

/** Why a delivery was refused. */
export type Refusal = 'missing_header' | 'stale' | 'signature' | 'body' | 'account';

/** The delivery did not come from the service, is too old, or is damaged: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: Refusal,
    message: string,
  ) {
    super(message);
  }
}

export interface VerifyOptions {
  /** Largest difference between the timestamp and now; default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; default the clock. For tests. */
  readonly now?: number;
}

/** One of the `keys` of `GET /.well-known/jwks.json`. */
export type WebhookPublicKey = Readonly<{ kty: string; crv?: string; x?: string }>;

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Signed before the body, in this order and joined by dots (docs/webhooks.md). */
const SIGNED = [
  'x-svc-timestamp',
  'x-svc-event-id',
  'x-svc-version',
  'x-svc-api-version',
  'x-svc-event-schema-version',
] as const;
const SIGNATURE = 'x-svc-signature';
const PREVIOUS = 'x-svc-signature-previous';
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies a delivery over its raw bytes, before they are parsed.
 * @param body the bytes as received; a text must be their UTF-8 decoding
 * @param secrets `whsec_live_…`: one, or after a rotation both
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: Uint8Array | string,
  headers: GivenHeaders,
  secrets: readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const values = SIGNED.map((name) => required(headers, name));
  const signatures = [required(headers, SIGNATURE), headerOf(headers, PREVIOUS)].filter(
    (it) => it !== undefined,
  );
  refuseStale(values[0]!, toleranceSeconds, now);
  const message = concatenated(new TextEncoder().encode(`${values.join('.')}.`), bytes);
  if (!(await isSigned(message, signatures, secrets)))
    throw new WebhookVerificationError('signature', 'no signature fits a secret');
  return parsed(bytes);
}

/**
 * Verifies a delivery as `verifyWebhook`, by the public keys of the service instead of a secret. These sign the
 * deliveries of all accounts, so the event must also be of the account.
 * @throws WebhookVerificationError
 */
export async function verifyWebhookByKey(
  body: Uint8Array | string,
  headers: GivenHeaders,
  { keys, accountId }: { readonly keys: readonly WebhookPublicKey[]; readonly accountId: string },
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const [id, timestamp, given] = STANDARD.map((name) => required(headers, name));
  refuseStale(timestamp!, toleranceSeconds, now);
  const message = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const signatures = given!.split(' ').flatMap((each) => /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(each)?.[1] ?? []);
  const isSignedBy = async ({ kty, crv, x }: WebhookPublicKey) => {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
    const fits = signatures.map((one) => crypto.subtle.verify('Ed25519', key, fromBase64(one), message));
    return (await Promise.all(fits)).includes(true);
  };
  const known = keys.filter(({ crv }) => crv === 'Ed25519').map((key) => isSignedBy(key).catch(() => false));
  if (!(await Promise.all(known)).includes(true))
    throw new WebhookVerificationError('signature', 'no signature fits a public key');
  const event = parsed(bytes);
  if (event.account_id !== accountId)
    throw new WebhookVerificationError('account', 'the event is of another account');
  return event;
}

const bytesOf = (body: Uint8Array | string) =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

function refuseStale(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('stale', 'the timestamp is too far from now');
}

async function isSigned(
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let signed = false;
  for (const secret of secrets.filter((it) => it !== '')) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
      'verify',
    ]);
    for (const signature of signatures) {
      const given = fromHex(/^v1=([0-9a-f]{64})$/.exec(signature)?.[1] ?? '');
      if (await crypto.subtle.verify('HMAC', key, given, message)) signed = true;
    }
  }
  return signed;
}

function parsed(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event === 'object' && event !== null && 'event_type' in event) return event as WebhookEvent;
  } catch {
    // The same answer as for another value.
  }
  throw new WebhookVerificationError('body', 'the body is not an event');
}

function required(headers: GivenHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined) throw new WebhookVerificationError('missing_header', `${name} is missing`);
  return value;
}

/** Node's names are in lower case; other frameworks keep those of the sender. */
function headerOf(headers: GivenHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function concatenated(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
