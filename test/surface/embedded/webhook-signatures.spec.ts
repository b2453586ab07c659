import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, randomBytes, verify, type JsonWebKey } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startTestService, type TestService } from '../../kit/service.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { WebhookReceiver, type ReceivedRequest } from '../../kit/webhook-receiver.js';
import { openAccount } from '../../kit/world.js';
import { HOUR } from '../asking.js';
import { INSECURE, WebhookClerk } from '../webhook-asking.js';

/** The signed text before the body (contract, section 6.1). */
const SIGNED = [
  'x-svc-timestamp',
  'x-svc-event-id',
  'x-svc-version',
  'x-svc-api-version',
  'x-svc-event-schema-version',
];

/** `v1=…` as the OpenSSL command line computes it. */
function byOpenSsl(secret: string, { headers, body }: ReceivedRequest): string {
  const input = Buffer.concat([Buffer.from(`${SIGNED.map((name) => headers[name]).join('.')}.`), body]);
  const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input, encoding: 'utf8' });
  return `v1=${printed.trim().split(' ').at(-1)}`;
}

const isStandard = (secret: string, { headers, body }: ReceivedRequest): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

describe('signatures', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let clerk: WebhookClerk;
  beforeEach(async () => {
    // The receiver libraries use the system clock.
    const clock = new ManualClock(new Date().toISOString());
    receiver = await WebhookReceiver.start();
    service = await startTestService({ env: INSECURE, clock });
    clerk = new WebhookClerk(service, (await openAccount(service)).key);
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  const open = () => clerk.open(`http://127.0.0.1:${receiver.port}/ok`, { description: 'Grüße 🖨' });

  async function requestOfTest(webhookId: string): Promise<ReceivedRequest> {
    await clerk.test(webhookId);
    return receiver.requests.at(-1)!;
  }

  it('verify with OpenSSL and the Standard Webhooks library', async () => {
    const { webhookId, secret, standardSecret } = await open();
    const request = await requestOfTest(webhookId);
    expect(request.headers['x-svc-signature']).toBe(byOpenSsl(secret, request));
    expect(isStandard(standardSecret, request)).toBe(true);
    const changed = {
      ...request,
      body: Buffer.from(request.body.toString().replace('orders', 'others') + ' '),
    };
    expect(byOpenSsl(secret, changed)).not.toBe(request.headers['x-svc-signature']);
    expect(isStandard(standardSecret, changed)).toBe(false);
  });

  it('use the new secret at once, and for 24 hours the old one too', async () => {
    const { webhookId, ...first } = await open();
    const rotated = (await clerk.update(webhookId, { rotate_secret: true })).body.data!;
    const second = {
      secret: String(rotated.secret),
      standardSecret: String(rotated.standard_webhooks_secret),
    };
    const request = await requestOfTest(webhookId);
    expect(request.headers['x-svc-secret-version']).toBe('2');
    expect(request.headers['x-svc-signature']).toBe(byOpenSsl(second.secret, request));
    expect(request.headers['x-svc-signature-previous']).toBe(byOpenSsl(first.secret, request));
    for (const { standardSecret } of [first, second]) expect(isStandard(standardSecret, request)).toBe(true);

    await service.advance(24 * HOUR - 1);
    expect((await requestOfTest(webhookId)).headers).toHaveProperty('x-svc-signature-previous');
    await service.advance(1);
    const later = await requestOfTest(webhookId);
    expect(later.headers).not.toHaveProperty('x-svc-signature-previous');
    expect(later.headers['x-svc-signature']).toBe(byOpenSsl(second.secret, later));
    expect(later.headers['webhook-signature']!.match(/v1,/g)).toHaveLength(1);
  });

  it('verify by the public key that the service lists', async () => {
    const { webhookId } = await open();
    const { headers, body } = await requestOfTest(webhookId);
    const listed = await fetch(new URL('/.well-known/jwks.json', service.url));
    expect([listed.status, listed.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const { keys } = (await listed.json()) as { keys: (JsonWebKey & { kid: string })[] };
    expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' }]);
    const { crv, kty, x, kid } = keys[0]!;
    expect(kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'));

    const [, , signature] = /(^| )v1a,(\S+)$/.exec(headers['webhook-signature']!)!;
    const head = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
    const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
    const isSigned = (bytes: Buffer) =>
      verify(null, Buffer.concat([head, bytes]), key, Buffer.from(signature!, 'base64'));
    expect([isSigned(body), isSigned(Buffer.concat([body, Buffer.from(' ')]))]).toEqual([true, false]);
  });

  it('keep the public key of before listed when the operator names it', async () => {
    const keysOf = async ({ url }: TestService) => {
      const listed = await fetch(new URL('/.well-known/jwks.json', url));
      return ((await listed.json()) as { keys: { x: string }[] }).keys.map(({ x }) => x);
    };
    const [before] = await keysOf(service);
    const WEBHOOK_SIGNING_KEY = randomBytes(32).toString('base64');
    const changed = await startTestService({ env: { WEBHOOK_SIGNING_KEY, WEBHOOK_PUBLIC_KEYS: before! } });
    const keys = await keysOf(changed);
    await changed.close();
    expect(keys).toEqual([expect.not.stringMatching(before!), before]);
  });
});
