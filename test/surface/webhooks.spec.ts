import { PUBLIC_EVENT_TYPES, type PublicEventType } from '../../src/contexts/webhooks/index.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount } from '../kit/world.js';
import { HOUR, verdict } from './asking.js';
import { INSECURE, storedOf, WebhookClerk, webhookIn } from './webhook-asking.js';

/** A port without a listener; nothing is sent to it here. */
const URL_A = 'http://127.0.0.1:9/a';
const TYPES: PublicEventType[] = ['job.failed', 'job.spooler_completed'];

describe('managing webhooks', () => {
  const service = serviceForAll({ env: INSECURE });
  let accountId: string;
  let key: string;
  let clerk: WebhookClerk;
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
    clerk = new WebhookClerk(service, key);
  });

  describe('creating one', () => {
    it('returns the webhook and, only once, its secret in both forms', async () => {
      const created = await clerk.create({ url: URL_A, event_types: TYPES, description: 'orders' });
      expect(verdict(created)).toBe('201 SVC_WEBHOOK_CREATED');
      const { webhook, secret, standard_webhooks_secret } = created.body.data!;
      const now = service.clock.now();
      expect(webhook).toEqual({
        contract: 'svc_webhook_v1',
        webhook_id: expect.any(String),
        url: URL_A,
        description: 'orders',
        event_types: ['job.spooler_completed', 'job.failed'],
        status: 'active',
        secret_version: 1,
        created_at: now,
        updated_at: now,
        ordered: false,
        health: 'healthy',
      });
      expect(secret).toMatch(/^whsec_live_[0-9A-Za-z]{71}$/);
      const key = Buffer.from(String(standard_webhooks_secret).slice('whsec_'.length), 'base64');
      expect(key.toString()).toBe(secret);
      expect((await clerk.list()).webhooks).toEqual([webhook]);
    });

    it('subscribes to all event types by default', async () => {
      const { event_types } = webhookIn(await clerk.create({ url: URL_A }));
      expect(event_types).toEqual(PUBLIC_EVENT_TYPES);
      expect(event_types).toHaveLength(23);
    });

    it.each([
      ['nothing', { url: undefined }, /^url is required/],
      ['an empty URL', { url: '' }, /^url must be a URL/],
      ['a number for a URL', { url: 7 }, /^url must be a URL/],
      ['a long URL', { url: `http://127.0.0.1/${'x'.repeat(2_100)}` }, /^url must be a URL/],
      ['no event types', { event_types: [] }, /^event_types must be a list of 1/],
      ['an unknown event type', { event_types: ['job.gone'] }, /^event_types must be a list/],
      ['a word for event types', { event_types: 'job.failed' }, /^event_types must be a list/],
      ['null for event types', { event_types: null }, /^event_types must be a list/],
      ['a long description', { description: 'x'.repeat(161) }, /^description must be/],
      ['a description that rings', { description: 'a\u0007' }, /^description must be/],
      ['a secret', { secret: 'mine' }, /^secret is not a known field/],
      ['a status', { status: 'paused' }, /^status is not a known field/],
    ])('refuses %s', async (_, more, says) => {
      const refused = await clerk.create({ url: URL_A, ...more });
      expect([verdict(refused), refused.body.message]).toEqual([
        '400 SVC_VALIDATION_FAILED',
        expect.stringMatching(says),
      ]);
      expect((await clerk.list()).webhooks).toEqual([]);
    });

    it('refuses the URL of another webhook in any spelling', async () => {
      const { webhookId } = await clerk.open('http://127.0.0.1:80/a/../b');
      const same = ['HTTP://127.0.0.1/b', 'http://2130706433/b', 'http://0x7f.1:80/./b'];
      for (const url of same) expect(verdict(await clerk.create({ url }))).toBe('409 SVC_WEBHOOK_DUPLICATE');
      await clerk.update(webhookId, { status: 'paused' });
      expect(verdict(await clerk.create({ url: same[0] }))).toBe('409 SVC_WEBHOOK_DUPLICATE');
      await clerk.delete(webhookId);
      expect(verdict(await clerk.create({ url: same[0] }))).toBe('201 SVC_WEBHOOK_CREATED');
    });

    it('allows URLs of other accounts', async () => {
      await clerk.open(URL_A);
      const other = new WebhookClerk(service, (await openAccount(service)).key);
      expect((await other.create({ url: URL_A })).status).toBe(201);
    });

    it('allows at most 20, including paused ones, under concurrency', async () => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => clerk.create({ url: `http://127.0.0.1:9/${n}` })),
      );
      const verdicts = answers.map(verdict).sort();
      expect(verdicts.slice(0, 20)).toEqual(Array(20).fill('201 SVC_WEBHOOK_CREATED'));
      expect(verdicts.slice(20)).toEqual(Array(4).fill('409 SVC_WEBHOOK_LIMIT_REACHED'));
      const { webhooks } = await clerk.list();
      expect(webhooks).toHaveLength(20);
      await clerk.update(webhooks[0]!.webhook_id, { status: 'paused' });
      expect(verdict(await clerk.create({ url: URL_A }))).toBe('409 SVC_WEBHOOK_LIMIT_REACHED');
      await clerk.delete(webhooks[1]!.webhook_id);
      expect((await clerk.create({ url: URL_A })).status).toBe(201);
    });

    it('accepts one of many concurrent requests with the same URL', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => clerk.create({ url: URL_A })));
      expect(answers.map(verdict).sort()).toEqual([
        '201 SVC_WEBHOOK_CREATED',
        ...(Array(9).fill('409 SVC_WEBHOOK_DUPLICATE') as string[]),
      ]);
    });
  });

  describe('changing one', () => {
    it('changes only the named fields', async () => {
      const { webhookId } = await clerk.open(URL_A, { description: 'orders', event_types: TYPES });
      await service.advance(HOUR);
      const before = (await clerk.list()).webhooks[0]!;
      const expected = { ...before, updated_at: service.clock.now() };
      for (const change of [
        { description: 'other' },
        { event_types: ['webhook.test'] },
        { url: 'http://127.0.0.1:9/b' },
        { description: '' },
      ]) {
        const updated = await clerk.update(webhookId, change);
        Object.assign(expected, change);
        expect([verdict(updated), updated.body.data]).toEqual([
          '200 SVC_WEBHOOK_UPDATED',
          { webhook: expected },
        ]);
      }
      expect((await clerk.list()).webhooks).toEqual([expected]);
    });

    it('pauses and resumes, with the paused_reason', async () => {
      const { webhookId } = await clerk.open(URL_A);
      const paused = webhookIn(await clerk.update(webhookId, { status: 'paused' }));
      expect([paused.status, paused.paused_reason]).toEqual(['paused', 'requested']);
      expect((await clerk.list()).webhooks).toEqual([paused]);
      const active = webhookIn(await clerk.update(webhookId, { status: 'active' }));
      expect([active.status, active.paused_reason]).toEqual(['active', undefined]);
    });

    it('rotates the secret and shows the new one once', async () => {
      const { webhookId, secret } = await clerk.open(URL_A);
      const { webhook, ...secrets } = (await clerk.update(webhookId, { rotate_secret: true })).body.data!;
      expect(webhook).toMatchObject({ secret_version: 2 });
      expect(Object.keys(secrets)).toEqual(['secret', 'standard_webhooks_secret']);
      expect(secrets.secret).toMatch(/^whsec_live_/);
      expect(secrets.secret).not.toBe(secret);
      const { body } = await clerk.update(webhookId, { rotate_secret: false, description: 'x' });
      expect(body.data).toEqual({ webhook: expect.objectContaining({ secret_version: 2 }) });
    });

    it('stores nothing without a change', async () => {
      const { webhookId } = await clerk.open(URL_A, { description: 'orders' });
      const before = await storedOf(service, accountId);
      const again = { url: URL_A, description: 'orders', status: 'active', rotate_secret: false };
      expect(verdict(await clerk.update(webhookId, again))).toBe('200 SVC_WEBHOOK_UPDATED');
      expect(await storedOf(service, accountId)).toBe(before);
    });

    it.each([
      [{}, /^url, event_types, description, status, ordered or rotate_secret must be given/],
      [{ status: 'deleted' }, /^status must be one of active, paused/],
      [{ rotate_secret: 'true' }, /^rotate_secret must be true or false/],
      [{ event_types: [] }, /^event_types must be a list of 1/],
      [{ url: 'ftp://127.0.0.1/' }, /^url must start with https:\/\/ or http:\/\//],
      [{ secret: 'mine' }, /^secret is not a known field/],
    ])('refuses %j', async (json, says) => {
      const { webhookId } = await clerk.open(URL_A);
      const before = await storedOf(service, accountId);
      const refused = await clerk.update(webhookId, json);
      expect([verdict(refused), refused.body.message]).toEqual([
        '400 SVC_VALIDATION_FAILED',
        expect.stringMatching(says),
      ]);
      expect(await storedOf(service, accountId)).toBe(before);
    });

    it('refuses the URL of another webhook without changing anything', async () => {
      await clerk.open(URL_A);
      const { webhookId } = await clerk.open('http://127.0.0.1:9/b');
      const before = await storedOf(service, accountId);
      const refused = await clerk.update(webhookId, { url: URL_A, rotate_secret: true, status: 'paused' });
      expect(verdict(refused)).toBe('409 SVC_WEBHOOK_DUPLICATE');
      expect(await storedOf(service, accountId)).toBe(before);
    });
  });

  describe('deleting one', () => {
    it('returns it a last time; afterwards every operation answers 404', async () => {
      const { webhookId } = await clerk.open(URL_A);
      await service.advance(HOUR);
      const deleted = await clerk.delete(webhookId);
      expect(verdict(deleted)).toBe('200 SVC_WEBHOOK_DELETED');
      expect(webhookIn(deleted)).toMatchObject({ status: 'deleted', updated_at: service.clock.now() });
      expect((await clerk.list()).webhooks).toEqual([]);
      const answers = [
        await clerk.delete(webhookId),
        await clerk.update(webhookId, { status: 'active' }),
        await clerk.update(webhookId, { rotate_secret: true }),
        await clerk.test(webhookId),
      ];
      expect(answers.map(verdict)).toEqual(Array(4).fill('404 SVC_WEBHOOK_NOT_FOUND'));
    });
  });

  describe('listing them', () => {
    it('shows the newest first, and the catalogue of events', async () => {
      const first = await clerk.open(URL_A);
      const second = await clerk.open('http://127.0.0.1:9/b');
      const { webhooks, deliveries, event_types } = await clerk.list();
      expect(webhooks.map((it) => it.webhook_id)).toEqual([second.webhookId, first.webhookId]);
      expect(deliveries).toEqual([]);
      expect(event_types.map((it) => it.event_type)).toEqual(PUBLIC_EVENT_TYPES);
      expect(event_types[0]).toEqual({
        event_type: 'job.created',
        description: expect.any(String),
        schema: expect.objectContaining({ $schema: expect.stringContaining('2020-12') }),
        example: expect.objectContaining({ contract: 'svc_webhook_event_v1' }),
      });
    });

    it('needs a body, empty or with known fields', async () => {
      expect((await service.call('POST', '/svc-list-webhooks', { as: key, raw: '' })).status).toBe(400);
      const wrong = [{ limit: 0 }, { limit: 51 }, { limit: '5' }, { status: 'active' }, { webhook_id: 'x' }];
      for (const json of [...wrong, { offset: 0 }, { event_type: 'job.failed' }])
        expect(verdict(await clerk.ask('list-webhooks', json))).toBe('400 SVC_VALIDATION_FAILED');
    });
  });

  it('never shows or stores a secret in plain text', async () => {
    const { webhookId, secret } = await clerk.open(URL_A);
    const rotated = (await clerk.update(webhookId, { rotate_secret: true })).body.data!;
    const texts = [
      await storedOf(service, accountId),
      JSON.stringify(await clerk.list()),
      (await clerk.update(webhookId, { description: 'x' })).text,
      JSON.stringify(await service.operate('GET', `/streams/webhooks-${accountId}`)),
      (await clerk.delete(webhookId)).text,
    ];
    for (const text of texts) {
      expect(text).not.toContain('whsec_');
      for (const known of [secret, String(rotated.secret)]) {
        expect(text).not.toContain(known);
        expect(text).not.toContain(Buffer.from(known).toString('base64'));
      }
    }
  });
});
