import { UndiciWebhookClient } from '../../../src/contexts/webhooks/client/undici-webhook-client.js';
import { CertificateAuthority } from '../../kit/certificates.js';
import { serviceForAll, startTestService, type TestService } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { openAccount } from '../../kit/world.js';
import { verdict } from '../asking.js';
import { storedOf, WebhookClerk } from '../webhook-asking.js';

/** DNS results of the names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.1'],
  'inside.example.com': ['192.168.1.1'],
  'meta.example.com': ['169.254.169.254'],
  'printhub.corp.internal': ['10.20.1.1', 'fd20::1'],
  'roaming.corp.internal': ['10.20.1.1', '10.30.1.1'],
  'outside.corp.internal': ['93.184.215.14'],
  'erp.example.com': ['198.51.99.7'],
  receiver: ['127.0.0.1'],
  'box.shop.example': ['192.168.1.1'],
  'meta.shop.example': ['169.254.169.254'],
};

const resolve = async (name: string) => {
  const addresses = NAMES[name];
  if (!addresses) throw new Error(`there is no ${name}`);
  return addresses;
};

/** Each SSRF rule with a URL that breaks only that rule; url-rule.spec.ts has more. */
const REFUSED: readonly (readonly [rule: string, url: string])[] = [
  ['must be a URL of at most 2048 characters', 'hooks.example.com/printing'],
  ['must start with https://', 'http://hooks.example.com/'],
  ['must use port 443', 'https://hooks.example.com:8443/'],
  ['must not name a user', 'https://user@hooks.example.com/'],
  ['must not have a fragment', 'https://hooks.example.com/#top'],
  ['must name a host of at least two labels', 'https://hooks/'],
  ['must not end its name in a dot', 'https://hooks.example.com./'],
  ['must not name a local host', 'https://hooks.localhost/'],
  ['must resolve to public addresses alone', 'https://127.0.0.1/'],
  ['must resolve to public addresses alone', 'https://mixed.example.com/'],
  ['must resolve to public addresses alone', 'https://meta.example.com/'],
  ['must have a name that resolves', 'https://nowhere.example.com/'],
];

describe('webhook targets', () => {
  const webhookClient = new UndiciWebhookClient({ timeoutMs: 1_000, allowInsecure: false, resolve });
  const service = serviceForAll({ webhookClient });
  let accountId: string;
  let clerk: WebhookClerk;
  beforeAll(async () => {
    const account = await openAccount(service);
    accountId = account.accountId;
    clerk = new WebhookClerk(service, account.key);
  });

  it('may be public addresses over https, or names with only public addresses', async () => {
    for (const url of [
      'https://hooks.example.com/',
      'https://8.8.8.8/hook?a=b',
      'https://[2606:4700::1111]/',
    ])
      expect(verdict(await clerk.create({ url }))).toBe('201 SVC_WEBHOOK_CREATED');
  });

  it.each(REFUSED)('are refused with: it %s', async (rule, url) => {
    const before = await storedOf(service, accountId);
    const [{ webhook_id } = { webhook_id: '' }] = (await clerk.list()).webhooks;
    for (const refused of [await clerk.create({ url }), await clerk.update(webhook_id, { url })]) {
      expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
      expect(refused.body.message).toBe(`url ${rule}.`);
    }
    expect(await storedOf(service, accountId)).toBe(before);
  });

  it('are refused without naming the address', async () => {
    const { text } = await clerk.create({ url: 'https://inside.example.com/' });
    expect(text).not.toContain('192.168');
  });
});

describe('webhook targets in the networks of the operator', () => {
  const authority = new CertificateAuthority();
  let service: TestService;
  let receiver: WebhookReceiver;
  let clerk: WebhookClerk;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start(authority.issue('receiver'));
    const webhookClient = new UndiciWebhookClient({
      timeoutMs: 5_000,
      allowInsecure: false,
      operatorAllowed: ['10.20.0.0/16', 'fd20::/16', 'receiver', '*.shop.example'],
      operatorDenied: ['198.51.99.0/24', '10.20.9.0/24'],
      resolve,
      ca: authority.ca,
    });
    service = await startTestService({ webhookClient });
    clerk = new WebhookClerk(service, (await openAccount(service)).key);
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
    authority.remove();
  });

  it.each([
    'https://10.20.1.1/',
    'https://printhub.corp.internal:9443/',
    'https://box.shop.example:8443/',
    'https://hooks.example.com/',
  ])('may be %s', async (url) => {
    expect(verdict(await clerk.create({ url }))).toBe('201 SVC_WEBHOOK_CREATED');
  });

  it.each([
    ['must start with https://', 'http://printhub.corp.internal/'],
    ['must use port 443', 'https://printhub.corp.internal:0/'],
    ['must not name a local host', 'https://outside.corp.internal/'],
    ['must have a name that resolves', 'https://nowhere.corp.internal:8443/'],
    ['must resolve to public addresses alone', 'https://inside.example.com/'],
    ['must resolve to public addresses alone', 'https://meta.shop.example/'],
    ['must resolve to public addresses alone', 'https://10.20.9.1/'],
    ['must resolve to public addresses alone', 'https://erp.example.com/'],
  ])('are refused with: it %s, %s', async (rule, url) => {
    const refused = await clerk.create({ url });
    expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
    expect(refused.body.message).toBe(`url ${rule}.`);
  });

  it('receive requests on their own port and name', async () => {
    const { webhookId } = await clerk.open(`https://receiver:${receiver.port}/ok`);
    expect((await clerk.test(webhookId)).body.data).toMatchObject({ delivery: { status: 'delivered' } });
    expect(receiver.requests.map(({ headers }) => headers.host)).toEqual([`receiver:${receiver.port}`]);
  });
});
