import { randomBytes, randomUUID } from 'node:crypto';
import { serviceForAll, startTestService } from '../kit/service.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { openAccount } from '../kit/world.js';
import { HOUR, MINUTE, SECOND, verdict } from './asking.js';
import { deliveryIn, eventually, INSECURE, WebhookClerk } from './webhook-asking.js';

const QUIET = { event_types: ['webhook.test'] };

describe('manual deliveries', () => {
  const service = serviceForAll({ env: { ...INSECURE, WEBHOOK_TIMEOUT_SECONDS: '0.5' } });
  let receiver: WebhookReceiver;
  let clerk: WebhookClerk;
  beforeAll(async () => void (receiver = await WebhookReceiver.start()));
  beforeEach(async () => {
    clerk = new WebhookClerk(service, (await openAccount(service)).key);
  });
  afterAll(() => receiver.close());

  /** Each webhook has a separate path; its first segment selects the receiver's behaviour. */
  const urlOf = (behaviour: string) => `http://127.0.0.1:${receiver.port}/${behaviour}/${randomUUID()}`;
  const receivedAt = (url: string) => receiver.requests.filter(({ path }) => path === new URL(url).pathname);
  const deliveryOf = async (id: string) =>
    (await clerk.list()).deliveries.find((it) => it.delivery_id === id)!;

  /** A webhook whose test failed once. */
  async function failedOnce(behaviour: string) {
    const { webhookId } = await clerk.open(urlOf(behaviour), QUIET);
    return { webhookId, delivery: deliveryIn(await clerk.test(webhookId)) };
  }

  describe('testing a webhook', () => {
    it('sends a webhook.test at once and returns its outcome', async () => {
      const url = urlOf('created');
      const { webhookId } = await clerk.open(url, { event_types: ['job.failed'] });
      const tested = await clerk.test(webhookId);
      const now = service.clock.now();
      expect(verdict(tested)).toBe('200 SVC_WEBHOOK_TESTED');
      const outcome = { response_status: 201, duration_ms: expect.any(Number) };
      expect(tested.body.data).toEqual({
        delivery: {
          contract: 'svc_webhook_delivery_v1',
          delivery_id: expect.any(String),
          webhook_id: webhookId,
          event_id: expect.any(String),
          event_type: 'webhook.test',
          status: 'delivered',
          attempt_count: 1,
          max_attempts: 6,
          last_attempt_at: now,
          ...outcome,
          created_at: now,
          updated_at: now,
          delivered_at: now,
          attempts: [{ attempted_at: now, ...outcome }],
        },
      });
      const { deliveries, webhooks } = await clerk.list();
      expect(deliveries).toEqual([deliveryIn(tested)]);
      expect(webhooks[0]).toMatchObject({ last_success_at: now });
      expect(webhooks[0]!.last_failure_at).toBeUndefined();
    });

    it('sends one event about the webhook to that webhook only', async () => {
      const [url, other] = [urlOf('ok'), urlOf('ok')];
      const { webhookId } = await clerk.open(url, { description: 'orders' });
      await clerk.open(other);
      const { event_id, delivery_id } = deliveryIn(await clerk.test(webhookId));
      const second = deliveryIn(await clerk.test(webhookId));
      expect(second.event_id).not.toBe(event_id);
      await eventually(
        () => clerk.list(),
        ({ deliveries }) => deliveries.every((it) => it.status === 'delivered'),
      );
      expect(receivedAt(other)).toEqual([]);
      const requests = receivedAt(url);
      expect(requests.map(({ headers }) => headers['x-svc-event-id'])).toEqual([event_id, second.event_id]);
      expect(requests[0]!.headers['x-svc-delivery-id']).toBe(delivery_id);
      const [webhook] = (await clerk.list()).webhooks.filter((it) => it.webhook_id === webhookId);
      const { last_success_at: _, health, ordered, ...then } = webhook!;
      expect([health, ordered]).toEqual(['healthy', false]);
      expect(JSON.parse(requests[0]!.body.toString())).toMatchObject({
        contract: 'svc_webhook_event_v1',
        event_id,
        event_type: 'webhook.test',
        environment: 'live',
        data: { webhook: then },
      });
    });

    it.each([
      ['error', { failure_code: 'HTTP_STATUS', response_status: 500 }],
      ['redirect', { failure_code: 'HTTP_STATUS', response_status: 302 }],
      ['hang-after-request', { failure_code: 'TIMEOUT' }],
      ['reset', { failure_code: 'CONNECTION_FAILED' }],
    ])('returns the failure within the time limit: %s', async (behaviour, outcome) => {
      const { delivery } = await failedOnce(behaviour);
      expect(delivery).toMatchObject({
        ...outcome,
        status: 'retry_scheduled',
        attempt_count: 1,
        next_attempt_at: service.fromNow(30 * SECOND),
        attempts: [outcome],
      });
      expect((await clerk.list()).webhooks[0]).toMatchObject({ last_failure_at: service.clock.now() });
    });

    it('is refused while the webhook is paused', async () => {
      const url = urlOf('ok');
      const { webhookId } = await clerk.open(url);
      await clerk.update(webhookId, { status: 'paused' });
      expect(verdict(await clerk.test(webhookId))).toBe('409 SVC_WEBHOOK_PAUSED');
      expect([receivedAt(url), (await clerk.list()).deliveries]).toEqual([[], []]);
    });
  });

  describe('retrying a delivery', () => {
    it('makes the next scheduled attempt now', async () => {
      const { delivery } = await failedOnce('error');
      const retried = await clerk.retry(delivery.delivery_id);
      expect(verdict(retried)).toBe('200 SVC_DELIVERY_RETRIED');
      expect(deliveryIn(retried)).toMatchObject({
        status: 'retry_scheduled',
        attempt_count: 2,
        next_attempt_at: service.fromNow(2 * MINUTE),
      });
      expect(await deliveryOf(delivery.delivery_id)).toEqual(deliveryIn(retried));
    });

    it('is refused while the webhook is paused; pending deliveries continue afterwards', async () => {
      const { webhookId, delivery } = await failedOnce('error');
      await clerk.update(webhookId, { status: 'paused', url: urlOf('ok') });
      expect(verdict(await clerk.retry(delivery.delivery_id))).toBe('409 SVC_WEBHOOK_PAUSED');
      await service.advance(HOUR);
      expect((await deliveryOf(delivery.delivery_id)).status).toBe('retry_scheduled');
      await clerk.update(webhookId, { status: 'active' });
      await eventually(
        () => deliveryOf(delivery.delivery_id),
        (it) => it.status === 'delivered',
      );
    });

    it('answers 404 after the webhook is deleted', async () => {
      const { webhookId, delivery } = await failedOnce('error');
      await clerk.delete(webhookId);
      await service.advance(0);
      await eventually(
        () => deliveryOf(delivery.delivery_id),
        (it) => it.status === 'cancelled',
      );
      expect(verdict(await clerk.retry(delivery.delivery_id))).toBe('404 SVC_WEBHOOK_NOT_FOUND');
      await service.advance(HOUR);
      expect((await deliveryOf(delivery.delivery_id)).attempt_count).toBe(1);
    });
  });

  it('lists deliveries newest first, filtered, 50 at most', async () => {
    const good = await clerk.open(urlOf('ok'), QUIET);
    const bad = await clerk.open(urlOf('error'), QUIET);
    const ids: string[] = [];
    for (let n = 0; n < 27; n++) {
      for (const { webhookId } of [good, bad])
        ids.unshift(deliveryIn(await clerk.test(webhookId)).delivery_id);
    }
    const shown = async (filter: object) => (await clerk.list(filter)).deliveries.map((it) => it.delivery_id);
    expect(await shown({})).toEqual(ids.slice(0, 50));
    expect(await shown({ limit: 3 })).toEqual(ids.slice(0, 3));
    const ofBad = ids.filter((_, i) => i % 2 === 0);
    expect(await shown({ webhook_id: bad.webhookId })).toEqual(ofBad);
    expect(await shown({ status: 'retry_scheduled' })).toEqual(ofBad);
    expect(await shown({ status: 'retry_scheduled', webhook_id: good.webhookId })).toEqual([]);
    expect(await shown({ webhook_id: randomUUID() })).toEqual([]);
    expect((await clerk.list({ webhook_id: randomUUID() })).webhooks).toHaveLength(2);
  });
});

describe('an instance that serves only the API', () => {
  /** Settings of one of several instances; its stores are in memory nevertheless. */
  const ALONE = {
    ROLE: 'api',
    EVENTSTORE_URL: 'esdb://127.0.0.1:2113',
    MONGODB_URL: 'mongodb://127.0.0.1:27017/rps',
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
  };

  it('performs tests and retries itself', async () => {
    const receiver = await WebhookReceiver.start();
    const service = await startTestService({ env: { ...INSECURE, ...ALONE } });
    try {
      const clerk = new WebhookClerk(service, (await openAccount(service)).key);
      const { webhookId } = await clerk.open(`http://127.0.0.1:${receiver.port}/error`);
      const { delivery_id, status } = deliveryIn(await clerk.test(webhookId));
      expect(status).toBe('retry_scheduled');
      await clerk.update(webhookId, { url: `http://127.0.0.1:${receiver.port}/ok` });
      expect(receiver.requests).toHaveLength(1);
      expect(deliveryIn(await clerk.retry(delivery_id)).status).toBe('delivered');
    } finally {
      await service.close();
      await receiver.close();
    }
  });
});
