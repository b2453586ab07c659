import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { SigningKey } from '../../kernel/signing-key.js';
import { mintWebhookSecret } from './secret-box.js';
import { canonicalMessage, signedHeaders, type Signing } from './signature.js';

const WEBHOOK_ID = '019aa000-0000-7000-8000-0000000000e1';
const EVENT_ID = '019aa000-0000-7000-8000-0000000000e5';
const secretOf = (byte: number) => mintWebhookSecret(WEBHOOK_ID, new Uint8Array(32).fill(byte));
const [secret, previous] = [secretOf(1), secretOf(2)];

const signing: Signing = {
  eventId: EVENT_ID,
  eventType: 'job.created',
  deliveryId: '019aa000-0000-5000-8000-0000000000e4',
  timestamp: 1_795_262_400,
  productVersion: '2.0.59',
  secretVersion: 3,
  secrets: [secret],
  signingKey: new SigningKey(Buffer.alloc(32, 7)),
  body: Buffer.from('{"event_type":"job.created","name":"Grüße 🖨"}'),
};

/** Signature by the OpenSSL command line, independent of our code. */
function opensslHex(key: string, message: Uint8Array): string {
  const hexKey = Buffer.from(key).toString('hex');
  const printed = execFileSync(
    'openssl',
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hexKey}`],
    {
      input: message,
      encoding: 'utf8',
    },
  );
  return printed.trim().split(' ').at(-1)!;
}

describe('signing a delivery', () => {
  it('sends the nine headers of the contract, and those of Standard Webhooks', () => {
    expect(signedHeaders(signing)).toEqual({
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/2.0.59',
      'x-svc-event': 'job.created',
      'x-svc-event-id': EVENT_ID,
      'x-svc-delivery-id': signing.deliveryId,
      'x-svc-timestamp': '1795262400',
      'x-svc-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      'x-svc-version': '2.0.59',
      'x-svc-api-version': 'v1',
      'x-svc-event-schema-version': 'v1',
      'x-svc-secret-version': '3',
      'webhook-id': EVENT_ID,
      'webhook-timestamp': '1795262400',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/),
    });
  });

  it('joins timestamp, event id, versions and the raw body with dots', () => {
    const head = `1795262400.${EVENT_ID}.2.0.59.v1.v1.`;
    expect(canonicalMessage(signing)).toEqual(Buffer.concat([Buffer.from(head), signing.body]));
  });

  it('equals the result of OpenSSL', () => {
    const message = Buffer.from(
      `1795262400.${EVENT_ID}.2.0.59.v1.v1.${Buffer.from(signing.body).toString()}`,
    );
    expect(signedHeaders(signing)['x-svc-signature']).toBe(`v1=${opensslHex(secret, message)}`);
  });
});

describe('signing after a rotation', () => {
  it("adds the old secret's signature beside the new one", () => {
    const alone = signedHeaders({ ...signing, secrets: [previous] });
    const both = signedHeaders({ ...signing, secrets: [secret, previous] });
    expect(both['x-svc-signature']).toBe(signedHeaders(signing)['x-svc-signature']);
    expect(both['x-svc-signature-previous']).toBe(alone['x-svc-signature']);
    const [now, before] = [signedHeaders(signing), alone].map(({ 'webhook-signature': list }) =>
      list!.split(' '),
    );
    expect(both['webhook-signature']!.split(' ')).toEqual([now![0], before![0], now![1]]);
  });
});

describe('the canonical message', () => {
  /**
   * The product version contains dots. The message is still unambiguous, because all other parts have a fixed
   * form: digits, a UUID, three numbers, two times `v1`.
   */
  const FORM = /^(\d+)\.([0-9a-f-]{36})\.(\d+\.\d+\.\d+)\.v1\.v1\./;
  const tuples = fc.record({
    timestamp: fc.integer({ min: 0, max: 4_102_444_800 }),
    eventId: fc.uuid(),
    productVersion: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(999)).map((parts) => parts.join('.')),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.constantFrom('', '.', 'v1.', '0.v1.v1.', '.v1.v1.{}').map((text) => Buffer.from(text)),
    ),
  });

  it('can be parsed back, so that two different deliveries never share a message', () => {
    fc.assert(
      fc.property(tuples, (tuple) => {
        const message = canonicalMessage({ ...signing, ...tuple });
        const parsed = FORM.exec(message.toString('latin1'))!;
        expect(parsed.slice(1)).toEqual([String(tuple.timestamp), tuple.eventId, tuple.productVersion]);
        expect(Buffer.compare(message.subarray(parsed[0].length), tuple.body)).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers any bytes of the body', () => {
    fc.assert(
      fc.property(tuples, tuples, (one, other) => {
        const [a, b] = [one, other].map(
          (tuple) => signedHeaders({ ...signing, ...tuple })['x-svc-signature'],
        );
        const same = Buffer.compare(
          canonicalMessage({ ...signing, ...one }),
          canonicalMessage({ ...signing, ...other }),
        );
        expect(a === b).toBe(same === 0);
      }),
    );
  });
});
