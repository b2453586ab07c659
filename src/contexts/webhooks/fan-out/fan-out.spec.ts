import * as the from '../../../../test/kit/examples/jobs.js';
import { ACCOUNT, at, by, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { CreateDelivery } from '../domain/delivery.commands.js';
import { RequestWebhookTest } from '../domain/endpoint.commands.js';
import { deliveryIdOf, endpoints } from '../webhook.aggregates.js';
import { CHECKPOINT } from './fan-out.js';
import { positionFromNumber } from '../../../event-sourcing/write/event-codec.js';
import { openTestStores, reportRollback } from '../../../../test/kit/stores.js';
import { ConcurrencyError, CorruptEventError, UnavailableError } from '../../../kernel/errors.js';

let scene: WebhookScene;
beforeEach(() => (scene = new WebhookScene()));
afterEach(async () => {
  expect(scene.errors).toEqual([]);
  await scene.stop();
});
const sent = (name: string) => scene.receiver.to(at(name)).map(({ headers }) => headers['x-svc-event']);
const deliveryEvents = async () => {
  const all = await scene.stores.events.readAll({ max: 10_000 });
  return all.filter(({ stream }) => stream.startsWith('delivery-')).length;
};
const createdJob = (id: string) => ({
  stream: `job-${id}`,
  expected: 'no_stream' as const,
  events: [
    { id: `event-${id}`, ...the.created, metadata: { ...by, at: scene.clock.now(), schemaVersion: 1 } },
  ],
});
/** A new instance on the same stores, as after a crash. */
const again = (checkpoints = scene.stores.checkpoints) => {
  const { stores, clock, receiver } = scene;
  return new WebhookScene({ stores: { ...stores, checkpoints }, clock, receiver });
};

describe('finding the recipients of an event', () => {
  it('sends each active webhook of the account the types it subscribed to, in order', async () => {
    await scene.start();
    await scene.webhook('all');
    await scene.webhook('failures', ['job.failed']);
    await scene.webhook('stranger', undefined, '019aa000-0000-7000-8000-00000000ffff');
    const paused = await scene.webhook('paused');
    await scene.update(paused, { status: 'paused' });
    await scene.job(the.created, the.queued, the.leased(), the.accepted());
    expect(sent('all')).toEqual(['job.created', 'job.queued', 'job.leased', 'job.accepted_by_agent']);
    expect([sent('failures'), sent('stranger'), sent('paused')]).toEqual([[], [], []]);
  });

  it('sends a test to the webhook under test alone, whatever its event types', async () => {
    await scene.start();
    await scene.webhook('other');
    const webhookId = await scene.webhook('shop', ['job.failed']);
    await scene.send(
      ACCOUNT,
      new RequestWebhookTest({ accountId: ACCOUNT, webhookId, testId: 'test', at: scene.clock.now(), by }),
    );
    expect([sent('shop'), sent('other')]).toEqual([['webhook.test'], []]);
  });

  it('uses the endpoints as of the event, however late it is read', async () => {
    const early = await scene.webhook('early');
    await scene.job();
    await scene.webhook('late');
    await scene.update(early, { eventTypes: ['job.failed'] });
    await scene.start();
    expect([sent('early'), sent('late')]).toEqual([['job.created'], []]);
  });
});

describe('reading a long log', () => {
  it('yields to the event loop between two pages', async () => {
    const ids = Array.from({ length: 1_001 }, (_, n) => String(n));
    const { events } = scene.stores;
    await events.appendInOrder(ids.map(createdJob));
    let [turn, isCounting] = [0, true];
    const count = () => {
      turn++;
      if (isCounting) setImmediate(count);
    };
    count();
    const { readAll } = events;
    const turns: number[] = [];
    events.readAll = (page) => {
      turns.push(turn);
      return readAll.call(events, page);
    };
    await scene.start();
    isCounting = false;
    expect(turns).toHaveLength(4);
    expect(new Set(turns).size).toBe(4);
  });
});

describe('creating each delivery once', () => {
  it('continues after its checkpoint', async () => {
    await scene.start();
    await scene.webhook('shop');
    await scene.job();
    await scene.stop();
    const stored = await scene.stores.checkpoints.get(CHECKPOINT);
    expect(stored).toBeDefined();
    await scene.job();
    const next = await again().start();
    expect(scene.receiver.requests).toHaveLength(2);
    await next.stop();
  });

  it('starts over when its checkpoint is beyond the end of the log', async () => {
    await scene.stores.checkpoints.put(CHECKPOINT, positionFromNumber(1_000_000));
    await scene.start();
    await scene.webhook('shop');
    await scene.job();
    expect(sent('shop')).toEqual(['job.created']);
  });

  it('reads a rolled-back log again without a second delivery', async () => {
    await scene.start();
    await scene.webhook('shop');
    await scene.job();
    reportRollback(scene.stores.events);
    await scene.job();
    expect(sent('shop')).toEqual(['job.created', 'job.created']);
  });

  it('stores its checkpoint about once a second', async () => {
    await scene.start();
    await scene.webhook('shop');
    await scene.job();
    await scene.advance(1_000);
    const before = await scene.stores.checkpoints.get(CHECKPOINT);
    await scene.job();
    expect(await scene.stores.checkpoints.get(CHECKPOINT)).toBe(before);
    scene.clock.advance(1_000);
    await scene.quiet();
    expect((await scene.stores.checkpoints.get(CHECKPOINT))! > before!).toBe(true);
  });

  it('writes nothing when the whole log is read again', async () => {
    await scene.start();
    await scene.webhook('one');
    await scene.webhook('two');
    for (let n = 0; n < 30; n++) await scene.job(the.created, the.queued);
    await scene.stop();
    const before = await scene.stores.events.head();
    const next = await again(openTestStores({ projections: [] }).checkpoints).start();
    await next.job();
    expect(scene.receiver.requests).toHaveLength(2 * 61);
    const after = await scene.stores.events.readAll({ after: before!, max: 100 });
    expect(after.filter(({ type }) => type === 'DeliveryCreated')).toHaveLength(2);
    await next.stop();
  });

  it('plans again when another instance has created one of the deliveries', async () => {
    const webhookId = await scene.webhook('shop', ['job.created']);
    await scene.start();
    // Another instance creates the second of three first.
    const { events } = scene.stores;
    const appendInOrder = events.appendInOrder.bind(events);
    events.appendInOrder = async (appends) => {
      const [, second] = appends;
      if (second?.stream.startsWith('delivery-')) {
        events.appendInOrder = appendInOrder;
        await appendInOrder([{ ...second, events: second.events.map((it) => ({ ...it, id: the.JOB_ID })) }]);
      }
      return appendInOrder(appends);
    };
    await appendInOrder(['a', 'b', 'c'].map(createdJob));
    await scene.quiet();
    const all = await scene.deliveries.listDeliveries(ACCOUNT, { webhookId }, 10);
    expect(all.map(({ event_id }) => event_id).sort()).toEqual(['event-a', 'event-b', 'event-c']);
    // All slots were returned.
    scene.receiver.behave(at('shop'));
    for (let n = 0; n < 5; n++) await scene.job();
    expect(scene.receiver.held.size).toBe(4);
    scene.receiver.behaviours.clear();
    for (const request of scene.receiver.held) request.answer();
  });

  it('frees the reserved slots when the store fails after a lost race', async () => {
    await scene.webhook('shop', ['job.created']);
    await scene.start();
    const { events } = scene.stores;
    const { appendInOrder, load } = events;
    let loads = 0;
    events.appendInOrder = (appends) => {
      events.appendInOrder = appendInOrder;
      events.load = (...args) => {
        loads++;
        if (loads === 2) events.load = load;
        return loads === 2
          ? Promise.reject(new UnavailableError('load is refused'))
          : load.apply(events, args);
      };
      return Promise.reject(new ConcurrencyError(appends[0]!.stream, 'no_stream', 0));
    };
    await appendInOrder.call(events, ['a', 'b', 'c'].map(createdJob));
    await scene.quiet();
    await scene.advance(1_000);
    expect(scene.errors.splice(0)).toEqual([expect.objectContaining({ message: 'load is refused' })]);
    expect(sent('shop')).toEqual(['job.created', 'job.created', 'job.created']);
    scene.receiver.behave(at('shop'));
    for (let n = 0; n < 5; n++) await scene.job();
    expect(scene.receiver.held.size).toBe(4);
    scene.receiver.behaviours.clear();
    for (const request of scene.receiver.held) request.answer();
  });

  it('uses the endpoints as of the event even when a batch is repeated', async () => {
    const webhookId = await scene.webhook('shop', ['job.created']);
    await scene.job();
    await scene.update(webhookId, { status: 'paused' });
    const { events } = scene.stores;
    const { appendInOrder } = events;
    events.appendInOrder = () => {
      events.appendInOrder = appendInOrder;
      return Promise.reject(new CorruptEventError('delivery-1', 0, '1'));
    };
    await scene.start();
    await scene.advance(1_000);
    expect(scene.errors.splice(0)).toHaveLength(1);
    expect(await scene.deliveries.listDeliveries(ACCOUNT, { webhookId }, 10)).toHaveLength(1);
  });

  it('ignores a delivery created by a manual test', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    const command = new RequestWebhookTest({
      accountId: ACCOUNT,
      webhookId,
      testId: 'test',
      at: scene.clock.now(),
      by,
    });
    const outcome = await scene.aggregates.execute(endpoints, ACCOUNT, command);
    const event = (outcome as unknown as { events: RecordedEvent[] }).events[0]!;
    const id = deliveryIdOf(webhookId, event.id);
    const source = { stream: event.stream, revision: event.revision };
    const delivery = {
      accountId: ACCOUNT,
      webhookId,
      eventId: event.id,
      eventType: 'webhook.test',
      source,
    } as const;
    await scene.aggregates.execute(
      scene.aggregate,
      id,
      new CreateDelivery({ deliveryId: id, delivery, at: scene.clock.now(), by }),
    );
    await scene.quiet();
    expect(scene.receiver.requests).toHaveLength(1);
    expect(await deliveryEvents()).toBe(3);
  });
});
