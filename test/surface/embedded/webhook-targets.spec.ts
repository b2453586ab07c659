import { UndiciWebhookClient } from '../../../src/adapters/http/undici-webhook-client.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { openAccount } from '../../kit/world.js';
import { verdict } from '../asking.js';
import { storedOf, WebhookClerk } from '../webhook-asking.js';

/** DNS results of the names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.1'],
  'inside.example.com': ['192.168.1.1'],
  'meta.example.com': ['169.254.169.254'],
};

/** Each SSRF rule with a URL that breaks only that rule. */
const REFUSED: readonly (readonly [rule: string, url: string])[] = [
  ['must be a URL of at most 2048 characters', 'hooks.example.com/printing'],
  ['must be a URL of at most 2048 characters', 'https://hooks.example.com/a b'],
  ['must be a URL of at most 2048 characters', `https://hooks.example.com/${'x'.repeat(2_030)}`],
  ['must start with https://', 'http://hooks.example.com/'],
  ['must start with https://', 'ftp://hooks.example.com/'],
  ['must use port 443', 'https://hooks.example.com:8443/'],
  ['must not name a user', 'https://user@hooks.example.com/'],
  ['must not have a fragment', 'https://hooks.example.com/#top'],
  ['must name a host of at least two labels', 'https://hooks/'],
  ['must not end its name in a dot', 'https://hooks.example.com./'],
  ['must not name a local host', 'https://hooks.localhost/'],
  ['must not name a local host', 'https://hooks.local/'],
  ['must not name a local host', 'https://hooks.internal/'],
  ['must not name a local host', 'https://hooks.home.arpa/'],
  ['must not name a local host', 'https://hooks.onion/'],
  ['must resolve to public addresses alone', 'https://127.0.0.1/'],
  ['must resolve to public addresses alone', 'https://2130706433/'],
  ['must resolve to public addresses alone', 'https://[::1]/'],
  ['must resolve to public addresses alone', 'https://[::ffff:10.0.0.1]/'],
  ['must resolve to public addresses alone', 'https://inside.example.com/'],
  ['must resolve to public addresses alone', 'https://mixed.example.com/'],
  ['must resolve to public addresses alone', 'https://meta.example.com/'],
  ['must have a name that resolves', 'https://nowhere.example.com/'],
];

describe('webhook targets', () => {
  let service: TestService;
  let accountId: string;
  let clerk: WebhookClerk;
  beforeAll(async () => {
    const resolve = async (name: string) => {
      const addresses = NAMES[name];
      if (!addresses) throw new Error(`there is no ${name}`);
      return addresses;
    };
    const webhookClient = new UndiciWebhookClient({ timeoutMs: 1_000, allowInsecure: false, resolve });
    service = await startTestService({ webhookClient });
    const account = await openAccount(service);
    accountId = account.accountId;
    clerk = new WebhookClerk(service, account.key);
  });
  afterAll(() => service.close());

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
