import * as the from '../../../test/kit/examples/jobs.js';
import { failing } from '../../../test/kit/manual-receiver.js';
import { openTestStores } from '../../../test/kit/stores.js';
import { TestViews } from '../../../test/kit/views.js';
import { at, WebhookScene } from '../../../test/kit/webhook-scene.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { projectionsFor } from '../../app/projections.js';
import { webhookDeliveriesView } from '../../../projections/webhook-deliveries/webhook-deliveries.js';
import { DELIVERY_RETENTION_MS } from './domain/delivery.policy.js';

const DAY_MS = 24 * 3_600_000;
const DAYS = DELIVERY_RETENTION_MS / DAY_MS;

let scene: WebhookScene;
let truncated: Map<string, number>;
beforeEach(() => {
  scene = new WebhookScene();
  truncated = new Map();
  scene.stores.events.truncate = async (stream, before) => void truncated.set(stream, before);
});
afterEach(async () => {
  expect(scene.errors).toEqual([]);
  await scene.stop();
});

const everything = () => scene.stores.events.readAll({ max: 10_000 });
const typesOf = async (deliveryId: string) =>
  (await scene.stores.events.load(`delivery-${deliveryId}`)).map(({ type }) => type);

async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) await scene.advance(DAY_MS);
}

describe('removing old deliveries', () => {
  it('removes a delivery thirty days after its end, and truncates its stream to the last event', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    await scene.job();
    const { delivery_id: id } = await scene.delivery(webhookId);
    await days(DAYS - 1);
    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'delivered' });
    await days(2);

    expect(await scene.delivery(webhookId)).toBeUndefined();
    expect(await typesOf(id)).toEqual([
      'DeliveryCreated',
      'DeliveryAttemptStarted',
      'DeliverySucceeded',
      'DeliveryRemoved',
    ]);
    expect(truncated).toEqual(new Map([[`delivery-${id}`, 3]]));
  });

  it('keeps a dead letter, which can be retried at any time', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    scene.receiver.behaviours.set(at('shop'), (request) => request.answer(failing));
    await scene.job();
    await days(DAYS + 2);

    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'dead_letter' });
    expect(truncated.size).toBe(0);
  });

  it('never sends an event again, even after a lost checkpoint of the fan-out', async () => {
    await scene.start();
    await scene.webhook('shop');
    await scene.job(the.created, the.queued);
    await days(DAYS + 1);
    await scene.stop();
    expect(truncated.size).toBe(2);
    const { checkpoints } = openTestStores({ projections: [] });
    const { stores, clock, receiver } = scene;
    const next = await new WebhookScene({ stores: { ...stores, checkpoints }, clock, receiver }).start();

    expect(receiver.requests).toHaveLength(2);
    expect(next.errors).toEqual([]);
    await next.stop();
  });

  it('leaves the same read models after a scavenge', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    await scene.job(the.created, the.queued);
    await days(DAYS);
    scene.receiver.behaviours.set(at('shop'), (request) => request.answer(failing));
    await scene.job();
    await days(2);
    const before = await everything();
    const after = before.filter(({ stream, revision }) => revision >= (truncated.get(stream) ?? 0));

    expect(after.length).toBe(before.length - 6);
    expect(await viewsOf(after)).toEqual(await viewsOf(before));
    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'retry_scheduled' });
  });
});

/** The documents and totals of all views, projected from these events. */
async function viewsOf(events: readonly RecordedEvent[]) {
  const projections = projectionsFor({ presenceTimeoutMs: 90_000 });
  const views = new TestViews(projections);
  views.project(events);
  const done = await views.store.count(webhookDeliveriesView, { queue: 'done' });
  return { done, documents: projections.map(({ view }) => [view.name, views.rows(view)]) };
}
