import { SystemRandomness } from '../../app/system/system-randomness.js';
import * as the from '../../../test/kit/examples/webhooks.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import { webhookDeliveriesProjection } from '../../../projections/webhook-deliveries/webhook-deliveries.projection.js';
import { DeliveryQueries } from '../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { CancelDeliveriesHandler } from './ended-deliveries.js';
import {
  CancelDeliveries,
  CreateDelivery,
  defaultDeliveryPolicy,
  endpoints,
  makeDeliveries,
} from './index.js';
import { TestViews } from '../../../test/kit/views.js';
import { testStores, WebhookScene } from '../../../test/kit/webhook-scene.js';
import { positionFromNumber } from '../../event-sourcing/write/event-codec.js';
import { CHECKPOINT } from './fan-out/fan-out.js';

const by = { actor: { kind: 'process', id: 'webhook-deletion' }, correlationId: 'c' } as const;

describe('deleting a webhook with many pending deliveries', () => {
  it('cancels all of them despite a lagging view, and none of another webhook', async () => {
    const views = new TestViews([webhookDeliveriesProjection]);
    const store = new LaggingEventStore(views);
    const aggregates = new AggregateStore(store, new SystemRandomness());
    const deliveries = makeDeliveries(defaultDeliveryPolicy);
    for (let n = 0; n < 250; n++) {
      const webhookId = n % 5 === 0 ? the.OTHER_ID : the.WEBHOOK_ID;
      const created = new CreateDelivery({
        deliveryId: `d${n}`,
        delivery: { ...the.told, webhookId },
        at: NOON,
        by,
      });
      await aggregates.execute(deliveries, `d${n}`, created);
    }
    for (const command of [the.create(), the.remove])
      await aggregates.execute(endpoints, the.ACCOUNT_ID, command);

    const queries = new DeliveryQueries(views.store);
    const { checkpoints } = testStores();
    await checkpoints.put(CHECKPOINT, positionFromNumber(1_000_000));
    const handler = new CancelDeliveriesHandler(deliveries, aggregates, queries, store, checkpoints);
    const outcome = await handler.execute(
      new CancelDeliveries({ accountId: the.ACCOUNT_ID, webhookId: the.WEBHOOK_ID, at: NOON, by }),
    );
    expect(outcome).toMatchObject({ ok: true, events: [{ type: 'WebhookSettled' }] });
    store.catchUp();
    const left = await queries.listDeliveries(the.ACCOUNT_ID, { status: 'pending' }, 500);
    expect(left).toHaveLength(50);
    expect(left.every((delivery) => delivery.webhook_id === the.OTHER_ID)).toBe(true);
  });

  it('cancels those that are created later, for events before it', async () => {
    const scene = new WebhookScene();
    const webhookId = await scene.webhook('shop');
    await scene.job();
    await scene.remove(webhookId);
    scene.timers.start();
    await scene.advance(1_000);
    // No dispatcher runs that would cancel the delivery instead of sending it.
    scene.fanOut.start();
    await scene.quiet();
    await scene.fanOut.stop();
    const statusOf = async () => (await scene.delivery(webhookId)).status;
    expect(await statusOf()).toBe('pending');
    await scene.advance(30_000);
    expect(await statusOf()).toBe('cancelled');
    await scene.timers.stop();
  });
});
