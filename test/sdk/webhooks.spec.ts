import { Webhook } from 'standardwebhooks';
import { signedHeaders } from '../../src/contexts/webhooks/signature.js';
import { jwkOf, SigningKey } from '../../src/kernel/signing-key.js';
import { EVENT_CATALOGUE } from '../../src/api/resources/event-catalogue.js';
import { verifyWebhook, verifyWebhookByKey } from '../../sdk/src/webhooks.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const SECRET = `whsec_live_${'a'.repeat(71)}`;
const signingKey = new SigningKey(Buffer.alloc(32, 7));
const OLDER = `whsec_live_${'b'.repeat(71)}`;
const example = EVENT_CATALOGUE.find(({ event_type }) => event_type === 'job.created')!.example;
const body = Buffer.from(JSON.stringify(example));

const headersOf = (secrets: readonly [string, ...string[]] = [SECRET], at = NOW) =>
  signedHeaders({
    ...{ eventId: example.event_id, eventType: 'job.created', deliveryId: 'd', productVersion: '2.0.59' },
    ...{ timestamp: at / 1000, secretVersion: 1, secrets, signingKey, body },
  });

/** The two ways to verify a delivery. */
const ways = {
  verifyWebhook: (bytes: Buffer, headers: Record<string, string>, secret: string) =>
    verifyWebhook(bytes, headers, [secret], { now: NOW }),
  'the standardwebhooks package': async (bytes: Buffer, headers: Record<string, string>, secret: string) => {
    const now = Date.now;
    Date.now = () => NOW;
    try {
      return new Webhook(Buffer.from(secret).toString('base64')).verify(bytes, headers);
    } finally {
      Date.now = now;
    }
  },
};

describe.each(Object.entries(ways))('%s', (_, verify) => {
  it('accepts a delivery of the service', async () => {
    expect(await verify(body, headersOf(), SECRET)).toEqual(example);
  });

  it('accepts it with either secret after a rotation', async () => {
    for (const secret of [SECRET, OLDER])
      expect(await verify(body, headersOf([SECRET, OLDER]), secret)).toEqual(example);
  });

  it('refuses a changed byte', async () => {
    const changed = Buffer.from(body);
    changed[20] = changed[20]! ^ 1;
    await expect(verify(changed, headersOf(), SECRET)).rejects.toThrow();
  });

  it('refuses an old timestamp', async () => {
    await expect(verify(body, headersOf([SECRET], NOW - 301_000), SECRET)).rejects.toThrow();
  });

  it('refuses another secret', async () => {
    await expect(verify(body, headersOf(), OLDER)).rejects.toThrow();
  });
});

describe('verifyWebhookByKey', () => {
  const other = jwkOf(new SigningKey(Buffer.alloc(32, 8)).publicKey);
  const keys = [other, { kty: 'RSA' }, jwkOf(signingKey.publicKey)];
  const verify = (bytes: Buffer, headers: Record<string, string>, by: object = {}) =>
    verifyWebhookByKey(bytes, headers, { keys, accountId: example.account_id, ...by }, { now: NOW });

  it('accepts a delivery by any of the keys, without a secret', async () => {
    expect(await verify(body, headersOf())).toEqual(example);
  });

  it.each([
    [
      'a changed byte',
      'signature',
      () => verify(Buffer.from(body.toString().replace('job', 'jab')), headersOf()),
    ],
    [
      'another time in the headers',
      'signature',
      () => verify(body, { ...headersOf(), 'webhook-timestamp': String(NOW / 1000 - 1) }),
    ],
    ['an old timestamp', 'stale', () => verify(body, headersOf([SECRET], NOW - 301_000))],
    ['other keys', 'signature', () => verify(body, headersOf(), { keys: [other] })],
    [
      'an HMAC only',
      'signature',
      () =>
        verify(body, {
          ...headersOf(),
          'webhook-signature': headersOf()['webhook-signature']!.split(' ')[0]!,
        }),
    ],
    [
      'no signature',
      'missing_header',
      () => verify(body, { ...headersOf(), 'webhook-signature': undefined as never }),
    ],
    ['a delivery for another account', 'account', () => verify(body, headersOf(), { accountId: 'another' })],
  ])('refuses %s', async (_, reason, verified) => {
    await expect(verified()).rejects.toMatchObject({ reason });
  });
});

it('reads headers of any form, and a body as text', async () => {
  const headers = headersOf();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const given of [new Headers(headers), upper])
    expect(await verifyWebhook(body.toString(), given, [SECRET], { now: NOW })).toEqual(example);
});
