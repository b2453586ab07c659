import type { DeliveryEvent } from '../../src/contexts/webhooks/domain/delivery.events.js';
import * as the from '../../test/kit/examples/webhooks.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { deliveryResource } from '../../src/api/integration/webhooks/webhook.messages.js';
import { webhookDeliveriesProjection } from './webhook-deliveries.projection.js';
import { DeliveryQueries } from './webhook-deliveries.queries.js';
import { TestViews } from '../../test/kit/views.js';

const { deliveryCreated: created, started, failed, later } = the;
const after = (...events: DeliveryEvent[]) =>
  project(webhookDeliveriesProjection, recorded(the.DELIVERY_STREAM, ...events)).get(the.DELIVERY_ID)!;

describe('showing a delivery', () => {
  it('is ready when created', () => {
    expect(after(created)).toMatchObject({
      status: 'pending',
      queue: 'ready',
      attempt_count: 0,
      max_attempts: 6,
    });
  });

  it('shows an attempt in flight, and lists it once it ended', () => {
    expect(after(created, started())).toMatchObject({
      status: 'delivering',
      queue: 'in_flight',
      attempts: [],
    });
    expect(deliveryResource(after(created, started(), the.succeeded()))).toStrictEqual({
      contract: 'svc_webhook_delivery_v1',
      delivery_id: the.DELIVERY_ID,
      webhook_id: the.WEBHOOK_ID,
      event_id: the.EVENT_ID,
      event_type: 'job.created',
      status: 'delivered',
      attempt_count: 1,
      max_attempts: 6,
      last_attempt_at: later(1000),
      response_status: 200,
      duration_ms: 12,
      created_at: NOON,
      updated_at: later(2000),
      delivered_at: later(2000),
      attempts: [{ attempted_at: later(1000), response_status: 200, duration_ms: 12 }],
    });
  });

  it('waits for its next attempt and is ready when that is due', () => {
    const waiting = [created, started(), failed(1, later(30_000))];
    expect(after(...waiting)).toMatchObject({
      status: 'retry_scheduled',
      queue: 'waiting',
      failure_code: 'HTTP_STATUS',
      next_attempt_at: later(30_000),
    });
    expect(after(...waiting, the.becameDue)).toMatchObject({ status: 'retry_scheduled', queue: 'ready' });
    const again = after(...waiting, started(2));
    expect(again.next_attempt_at).toBeUndefined();
    expect(after(...waiting, started(2), the.succeeded(2)).failure_code).toBeUndefined();
  });

  it('is ready again after a crash, and final when dead or cancelled', () => {
    expect(after(created, started(), the.interrupted())).toMatchObject({
      status: 'retry_scheduled',
      queue: 'ready',
      failure_code: 'INTERRUPTED',
    });
    expect(after(created, started(), failed(1))).toMatchObject({ status: 'dead_letter', queue: 'done' });
    expect(after(created, the.deliveryCancelled)).toMatchObject({ status: 'cancelled', queue: 'done' });
  });

  it('is ready again when a recovery sends it again, or creates it after its removal', () => {
    expect(after(created, started(), the.succeeded(), the.requeued)).toMatchObject({
      ...{ status: 'pending', queue: 'ready', delivered_at: undefined, attempt_count: 1 },
      attempts: [{ response_status: 200 }],
    });
    expect(after(created, the.deliveryCancelled, the.deliveryRemoved, created)).toMatchObject({
      ...{ status: 'pending', queue: 'ready', attempt_count: 0, sequence: 3, created_at: later(3_000) },
    });
  });

  it('disappears once it is removed, even without its earlier events', () => {
    expect(after(created, the.deliveryCancelled, the.deliveryRemoved)).toBeUndefined();
    expect(after(the.deliveryRemoved)).toBeUndefined();
  });

  it('keeps the newest fifty attempts', () => {
    const many = Array.from({ length: 60 }, (_, n) => [started(n + 1), the.interrupted(n + 1)]).flat();
    const { attempts, attempt_count } = after(created, ...many);
    expect([attempts.length, attempt_count]).toEqual([50, 60]);
    expect(attempts.at(-1)!.attempted_at).toBe(later(119_000));
  });
});

describe('asking for deliveries', () => {
  const views = new TestViews([webhookDeliveriesProjection]);
  const queries = new DeliveryQueries(views.store);
  let position = 0;
  const store = (id: string, webhookId: string, ...more: DeliveryEvent[]) => {
    const first = { ...created, data: { ...created.data, deliveryId: id, webhookId } };
    const events = recorded<DeliveryEvent>(`delivery-${id}`, first, ...more);
    views.project(events.map((event) => ({ ...event, position: String(++position).padStart(20, '0') })));
  };
  store('a', 'one');
  store('b', 'one', started(), the.succeeded());
  store('c', 'two', started());
  store('d', 'one', started(), failed(1, later(30_000)));
  store('e', 'one', started(), failed(1, later(30_000)), the.becameDue);
  const ids = (found: readonly { delivery_id: string }[]) => found.map((it) => it.delivery_id).join('');
  const { ACCOUNT_ID } = the;

  it('lists those of the account, newest first', async () => {
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, {}, 50))).toBe('edcba');
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, {}, 2))).toBe('ed');
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, { webhookId: 'one' }, 50))).toBe('edba');
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, { status: 'retry_scheduled' }, 50))).toBe('ed');
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, { status: 'retry_scheduled' }, 1, 'oldest'))).toBe(
      'd',
    );
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, { webhookId: 'two', status: 'delivered' }, 9))).toBe(
      '',
    );
    expect(ids(await queries.listDeliveries(ACCOUNT_ID, { webhookId: 'unknown' }, 50))).toBe('');
    expect(ids(await queries.listDeliveries('another account', {}, 50))).toBe('');
    expect(await queries.getDelivery(ACCOUNT_ID, 'a')).toMatchObject({ delivery_id: 'a' });
    expect(await queries.getDelivery('another account', 'a')).toBeUndefined();
  });

  it('lists ready deliveries, attempts in flight, and the deliveries that a deletion cancels', async () => {
    const page = await queries.readyFor('one', { limit: 1 });
    expect(page.items).toEqual(['a']);
    expect(await queries.readyFor('one', { limit: 9, after: page.next! })).toEqual({ items: ['e'] });
    expect([...(await queries.known(['c', 'nobody', 'a']))]).toEqual([
      ['c', 'delivering'],
      ['a', 'pending'],
    ]);
    expect((await queries.inFlight(9)).map(({ deliveryId }) => deliveryId)).toEqual(['c']);
    expect(await queries.unfinishedOf(ACCOUNT_ID, 'one', { limit: 9, offset: 0 })).toEqual(['a', 'd', 'e']);
    expect(await queries.countUnfinished(ACCOUNT_ID, 'one')).toBe(3);
    expect(await queries.countUnfinished('another account', 'one')).toBe(0);
    expect((await queries.endedBefore(later(2_000), { limit: 9 })).items).toEqual([]);
    expect((await queries.endedBefore(later(2_001), { limit: 9 })).items).toEqual(['b']);
    const first = await queries.endedBefore(later(2_001), { limit: 1 });
    expect(first).toMatchObject({ items: [], next: expect.any(String) });
    expect(await queries.endedBefore(later(2_001), { limit: 1, after: first.next! })).toMatchObject({
      items: ['b'],
    });
    expect([await queries.countIn('ready'), await queries.countIn('waiting')]).toEqual([2, 1]);
  });
});
