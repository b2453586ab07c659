import { failing, silent } from '../../../../test/kit/manual-receiver.js';
import { ACCOUNT, at, by, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { epochMs } from '../../../kernel/time.js';
import { RequestWebhookTest } from '../domain/endpoint.commands.js';
import { endpoints } from '../webhook.aggregates.js';
import { WIDE } from './endpoint-queue.js';
import { UnavailableError } from '../../../kernel/errors.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let scene: WebhookScene;
let webhookId: string;
beforeEach(async () => {
  scene = await new WebhookScene().start();
  webhookId = await scene.webhook('shop');
});
afterEach(async () => {
  expect(scene.errors).toEqual([]);
  scene.receiver.behaviours.clear();
  for (const request of scene.receiver.held) request.answer();
  await scene.stop();
});
const requests = () => scene.receiver.to(at('shop'));
const statusOf = async () => (await scene.delivery(webhookId)).status;

describe('sending an event', () => {
  it('sends it signed and stores the success', async () => {
    const [event] = await scene.job();
    expect(requests()).toHaveLength(1);
    const [{ headers, body }] = requests() as [(typeof scene.receiver.requests)[0]];
    expect(body).toMatchObject({ event_id: event!.id, event_type: 'job.created', account_id: ACCOUNT });
    expect(headers).toMatchObject({
      'x-svc-event': 'job.created',
      'x-svc-event-id': event!.id,
      'x-svc-timestamp': String(epochMs(scene.clock.now()) / 1000),
      'webhook-id': event!.id,
    });
    expect(await scene.delivery(webhookId)).toMatchObject({
      status: 'delivered',
      attempt_count: 1,
      response_status: 200,
      event_id: event!.id,
      delivery_id: headers['x-svc-delivery-id'],
    });
  });

  it('stores delivery and attempt in one commit, then the outcome', async () => {
    const commits: string[][] = [];
    scene.stores.events.listen({ appended: (events) => commits.push(events.map(({ type }) => type)) });
    await scene.job();
    expect(commits).toEqual([
      ['JobCreated'],
      ['DeliveryCreated', 'DeliveryAttemptStarted'],
      ['DeliverySucceeded'],
    ]);
  });

  it('records the last success and the last failure of the endpoint', async () => {
    await scene.job();
    const took = scene.clock.now();
    scene.receiver.behave(at('shop'), failing);
    scene.clock.advance(SECOND);
    await scene.job();
    const keys = [`webhook-success:${webhookId}`, `webhook-failure:${webhookId}`];
    expect(await scene.stores.liveness.lastHeartbeats(keys)).toEqual([took, scene.clock.now()]);
  });
});

describe('retrying by schedule', () => {
  it('waits 30 s, 2 min, 10 min, 1 h, 6 h, and gives up after the sixth', async () => {
    scene.receiver.behave(at('shop'), failing);
    const [event] = await scene.job();
    const delays = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
    for (const [n, delay] of delays.entries()) {
      expect([requests().length, await statusOf()]).toEqual([n + 1, 'retry_scheduled']);
      await scene.advance(delay - 1);
      expect(requests()).toHaveLength(n + 1);
      await scene.advance(1);
    }
    expect([requests().length, await statusOf()]).toEqual([6, 'dead_letter']);
    await scene.advance(7 * 24 * HOUR);
    expect(requests()).toHaveLength(6);
    expect(new Set(requests().map((request) => request.eventId))).toEqual(new Set([event!.id]));
    expect(new Set(requests().map((request) => request.deliveryId)).size).toBe(1);
    const bodies = new Set(requests().map((request) => JSON.stringify(request.body)));
    expect(bodies.size).toBe(1);
  });

  it('signs each attempt with its own timestamp', async () => {
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    await scene.advance(30 * SECOND);
    const [first, second] = requests().map(({ headers }) => Number(headers['x-svc-timestamp']));
    expect(second! - first!).toBe(30);
  });

  it('stops after a success', async () => {
    scene.receiver.behave(at('shop'), silent);
    await scene.job();
    scene.receiver.behaviours.clear();
    await scene.advance(30 * SECOND);
    await scene.advance(24 * HOUR);
    expect([requests().length, await statusOf()]).toEqual([2, 'delivered']);
    expect((await scene.delivery(webhookId)).attempts).toMatchObject([{ failure_code: 'TIMEOUT' }, {}]);
  });

  it("waits for the receiver's Retry-After if it is longer", async () => {
    scene.receiver.behave(at('shop'), { ...failing, responseStatus: 429, retryAfterMs: 5 * MINUTE });
    await scene.job();
    await scene.advance(5 * MINUTE - 1);
    expect(requests()).toHaveLength(1);
    scene.receiver.behave(at('shop'), { ...failing, responseStatus: 503, retryAfterMs: SECOND });
    await scene.advance(1);
    expect(requests()).toHaveLength(2);
    await scene.advance(2 * MINUTE - 1);
    expect(requests()).toHaveLength(2);
    await scene.advance(1);
    expect(requests()).toHaveLength(3);
  });

  it('pauses a webhook that answers 410, and continues when it is active again', async () => {
    const commits: string[][] = [];
    scene.stores.events.listen({ appended: (events) => commits.push(events.map(({ type }) => type)) });
    scene.receiver.behave(at('shop'), { ...failing, responseStatus: 410 });
    await scene.job();
    expect(await scene.webhooks.getWebhook(ACCOUNT, webhookId)).toMatchObject({
      status: 'paused',
      paused_reason: 'endpoint_gone',
    });
    const stored = commits.flat().filter((type) => /Failed|Paused/.test(type));
    expect(stored).toEqual(['WebhookPaused', 'DeliveryAttemptFailed']);
    await scene.advance(HOUR);
    expect([requests().length, await statusOf()]).toEqual([1, 'retry_scheduled']);
    scene.receiver.behaviours.clear();
    await scene.update(webhookId, { status: 'active' });
    expect([requests().length, await statusOf()]).toEqual([2, 'delivered']);
  });
});

describe('manual attempts', () => {
  const testEvent = async (): Promise<RecordedEvent> => {
    const command = new RequestWebhookTest({
      accountId: ACCOUNT,
      webhookId,
      testId: 'test-1',
      at: scene.clock.now(),
      by,
    });
    const outcome = await scene.aggregates.execute(endpoints, ACCOUNT, command);
    if (!outcome.ok) throw new Error(outcome.rejection.code);
    return outcome.events[0] as unknown as RecordedEvent;
  };

  it('sends a test once, even if the dispatcher is faster', async () => {
    const outcome = await scene.attempts.test(webhookId, await testEvent(), by);
    await scene.quiet();
    expect(outcome).toMatchObject({ ok: true, state: { status: 'delivered', attempts: 1 } });
    expect(requests().map(({ headers }) => headers['x-svc-event'])).toEqual(['webhook.test']);
  });

  it('returns a failed test after its first attempt', async () => {
    scene.receiver.behave(at('shop'), failing);
    const outcome = await scene.attempts.test(webhookId, await testEvent(), by);
    expect(outcome).toMatchObject({ ok: true, state: { status: 'retry_scheduled', attempts: 1 } });
  });

  it('retries a waiting delivery as the next attempt of its schedule', async () => {
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    const { delivery_id: id } = await scene.delivery(webhookId);
    await scene.advance(10 * SECOND);
    expect(await scene.attempts.retry(id, by)).toMatchObject({ ok: true, state: { failures: 2 } });
    await scene.advance(2 * MINUTE - 1);
    expect(requests()).toHaveLength(2);
    await scene.advance(1);
    expect(requests()).toHaveLength(3);
  });

  it('retries a dead letter once more', async () => {
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    for (const delay of [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]) await scene.advance(delay);
    const { delivery_id: id } = await scene.delivery(webhookId);
    expect(await scene.attempts.retry(id, by)).toMatchObject({ ok: true, state: { status: 'dead_letter' } });
    scene.receiver.behaviours.clear();
    expect(await scene.attempts.retry(id, by)).toMatchObject({ ok: true, state: { status: 'delivered' } });
    expect(requests()).toHaveLength(8);
  });

  it('refuses a delivery that cannot be retried', async () => {
    const code = async (id: string) => {
      const outcome = await scene.attempts.retry(id, by);
      return outcome.ok ? 'ok' : outcome.rejection.code;
    };
    expect(await code('unknown')).toBe('DeliveryNotFound');
    await scene.job();
    const { delivery_id: id } = await scene.delivery(webhookId);
    expect(await code(id)).toBe('DeliveryStateConflict');
    await scene.update(webhookId, { status: 'paused' });
    expect(await code(id)).toBe('WebhookPaused');
    await scene.remove(webhookId);
    expect(await code(id)).toBe('WebhookNotFound');
  });

  it('answers a test in time when its receiver hangs', async () => {
    scene.receiver.behave(at('shop'));
    const answered = scene.attempts.test(webhookId, await testEvent(), by);
    await scene.quiet();
    scene.clock.advance(11 * SECOND);
    expect(await answered).toMatchObject({ ok: true, state: { status: 'delivering' } });
    scene.receiver.heldAt(at('shop'))[0]!.answer();
    await scene.quiet();
    expect(await statusOf()).toBe('delivered');
  });

  /** A delivery waiting for its second attempt, at a receiver that hangs from now on. */
  const failedOnce = async () => {
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    scene.receiver.behave(at('shop'));
    return (await scene.delivery(webhookId)).delivery_id;
  };
  /** Resolves to true if it is answered by now. */
  const isOver = async (answer: Promise<unknown>) => {
    let over = false;
    const note = () => (over = true);
    answer.then(note, note);
    await scene.quiet();
    return over;
  };

  it('answers a retry after its attempt, even after a long wait for a slot', async () => {
    const id = await failedOnce();
    for (let n = 0; n < WIDE; n++) await scene.job();
    const answered = scene.attempts.retry(id, by);
    await scene.quiet();
    scene.clock.advance(9 * SECOND);
    scene.receiver.heldAt(at('shop'))[0]!.answer();
    await scene.quiet();
    scene.clock.advance(9 * SECOND);
    expect(await isOver(answered)).toBe(false);
    scene.receiver
      .heldAt(at('shop'))
      .find(({ deliveryId }) => deliveryId === id)!
      .answer(failing);
    expect(await answered).toMatchObject({ ok: true, state: { status: 'retry_scheduled', failures: 2 } });
  });

  it('answers a retry without a slot in time with the unchanged delivery', async () => {
    const id = await failedOnce();
    for (let n = 0; n < WIDE; n++) await scene.job();
    const inVain = scene.attempts.retry(id, by);
    await scene.quiet();
    scene.clock.advance(11 * SECOND);
    expect(await inVain).toMatchObject({ ok: true, state: { status: 'retry_scheduled', attempts: 1 } });
  });

  it('fails a retry with an unknown outcome when the outcome is not stored in time', async () => {
    const answered = scene.attempts.retry(await failedOnce(), by);
    await scene.quiet();
    scene.clock.advance(24 * SECOND);
    expect(await isOver(answered)).toBe(false);
    scene.clock.advance(SECOND);
    await expect(answered).rejects.toThrow(UnavailableError);
    scene.receiver.heldAt(at('shop'))[0]!.answer();
    await scene.quiet();
    expect(await statusOf()).toBe('delivered');
  });
});
