import * as the from '../../../../test/kit/examples/jobs.js';
import { failing, silent } from '../../../../test/kit/manual-receiver.js';
import { ACCOUNT, at, testStores, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import type { EventStore } from '../../../event-sourcing/ports/event-store.port.js';
import type { Stores } from '../../../event-sourcing/ports/stores.js';
import { UnavailableError } from '../../../kernel/errors.js';

const OTHER = '019aa000-0000-7000-8000-0000000000b2';
const createdBy = (accountId: string) => ({ ...the.created, data: { ...the.created.data, accountId } });
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`);

/** A port with some methods replaced. */
function withOther<T extends object>(port: T, other: Partial<T>): T {
  return new Proxy(port, {
    get: (target, name) => (other[name as keyof T] ?? target[name as keyof T]) as unknown,
  });
}

let scene: WebhookScene;
beforeEach(() => (scene = new WebhookScene()));
afterEach(() => {
  scene.receiver.behaviours.clear();
  for (const request of scene.receiver.held) request.answer();
  return scene.stop();
});

async function everythingTaken(): Promise<void> {
  while (scene.receiver.held.size > 0) {
    for (const request of scene.receiver.held) request.answer();
    await scene.quiet();
  }
}

describe('sending to many webhooks', () => {
  it('has four requests to each in flight, in the order of the events', async () => {
    await scene.start();
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    const events = [];
    for (let n = 0; n < 12; n++) events.push((await scene.job())[0]!.id);
    expect(scene.receiver.requests.map(({ eventId }) => eventId)).toEqual(events.slice(0, 4));
    scene.receiver.heldAt(at('shop'))[1]!.answer();
    await scene.quiet();
    expect(scene.receiver.requests.map(({ eventId }) => eventId)).toEqual(events.slice(0, 5));
    await everythingTaken();
    expect(scene.receiver.requests.map(({ eventId }) => eventId)).toEqual(events);
    expect(scene.receiver.most).toBe(4);
  });

  it('has 32 requests of one account in flight, and sends for another at once', async () => {
    await scene.start();
    for (const name of many(20, 'slow')) {
      await scene.webhook(name, ['job.created']);
      scene.receiver.behave(at(name));
    }
    await scene.webhook('other', ['job.created'], OTHER);
    for (let n = 0; n < 6; n++) await scene.job();
    expect(scene.receiver.held.size).toBe(32);
    await scene.job(createdBy(OTHER));
    expect(scene.receiver.to(at('other'))).toHaveLength(1);
    await everythingTaken();
    expect(scene.receiver.most).toBe(33);
    expect([...scene.receiver.mostAt.values()].every((most) => most <= 4)).toBe(true);
    expect(scene.receiver.requests).toHaveLength(121);
  });

  it('serves other endpoints while one hangs', async () => {
    await scene.start();
    const hole = await scene.webhook('hole');
    await scene.webhook('shop');
    scene.receiver.behave(at('hole'));
    for (let n = 0; n < 40; n++) await scene.job();
    expect(scene.receiver.to(at('shop'))).toHaveLength(40);
    expect(scene.receiver.to(at('hole'))).toHaveLength(4);
    expect(await scene.deliveries.countIn('ready')).toBe(36);
    for (let n = 0; n < 2; n++) {
      for (const request of scene.receiver.heldAt(at('hole'))) request.answer(silent);
      await scene.quiet();
    }
    expect(scene.receiver.heldAt(at('hole'))).toHaveLength(1);
    expect((await scene.delivery(hole)).status).toBe('pending');
  });
});

describe('pausing, resuming and deleting a webhook', () => {
  it('keeps pending deliveries while a webhook is paused, and creates none', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    const before = [];
    for (let n = 0; n < 8; n++) before.push((await scene.job())[0]!.id);
    await scene.update(webhookId, { status: 'paused' });
    await scene.job();
    await everythingTaken();
    expect(scene.receiver.requests).toHaveLength(4);
    expect(await scene.deliveries.countIn('ready')).toBe(4);

    await scene.update(webhookId, { status: 'active' });
    await everythingTaken();
    expect(scene.receiver.requests.map(({ eventId }) => eventId)).toEqual(before);
  });

  it('cancels the deliveries of a deleted webhook, including those in flight', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    for (let n = 0; n < 8; n++) await scene.job();
    await scene.remove(webhookId);
    await scene.advance(1_000);
    await everythingTaken();
    expect(scene.receiver.requests).toHaveLength(4);
    const all = await scene.deliveries.listDeliveries(ACCOUNT, { webhookId }, 50);
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill('cancelled'));
  });

  it('signs with the secret valid at the attempt', async () => {
    await scene.start();
    const webhookId = await scene.webhook('shop');
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    await scene.update(webhookId, { secret: scene.secret(webhookId) });
    await scene.advance(30_000);
    const [first, second] = scene.receiver.requests.map(({ headers }) => headers);
    expect([first!['x-svc-secret-version'], second!['x-svc-secret-version']]).toEqual(['1', '2']);
    expect(second).toHaveProperty('x-svc-signature-previous');
  });
});

describe('starting again', () => {
  it('repeats interrupted deliveries under the same event id, then sends the waiting ones', async () => {
    await scene.start();
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    const events = [];
    for (let n = 0; n < 6; n++) events.push((await scene.job())[0]!.id);
    // From now on the first process is dead and records nothing.
    const { stores, clock } = scene;
    clock.advance(5);
    const after = await new WebhookScene({ stores, clock }).start();
    expect(after.receiver.requests.map(({ eventId }) => eventId)).toEqual(events);
    expect(await after.deliveries.countIn('done')).toBe(6);

    for (const request of scene.receiver.held) request.answer(failing);
    await scene.quiet();
    expect(await after.deliveries.countIn('done')).toBe(6);
    await after.stop();
  });

  it('ignores attempts of another instance until their deadline has passed', async () => {
    await scene.start();
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    await scene.job();
    const { stores, clock } = scene;
    clock.advance(5);
    const other = await new WebhookScene({ stores, clock, sending: { alone: false } }).start();
    expect(other.receiver.requests).toHaveLength(0);
    await scene.stop.call({ ...scene, loops: { stop: () => Promise.resolve() } });
    await other.advance(24_000);
    expect(other.receiver.requests).toHaveLength(0);
    await other.advance(1_000);
    expect(other.receiver.requests).toHaveLength(1);
    await other.stop();
  });

  it('recovers an attempt of another instance that a lagging view shows later', async () => {
    await scene.start();
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    await scene.job();
    const { stores, clock } = scene;
    let isBehind = true;
    const around = (all: Stores): Stores => ({
      ...all,
      views: withOther(all.views, {
        find: async (view, query) =>
          isBehind ? { documents: [], positions: [] } : all.views.find(view, query),
      }),
      events: withOther(all.events, {
        waitUntilProjected: async () => {
          if (isBehind) throw new UnavailableError('the read models are too far behind', 'not_written');
        },
      }),
    });
    clock.advance(5);
    const other = await new WebhookScene({ stores, clock, around, sending: { alone: false } }).start();
    await scene.stop.call({ ...scene, loops: { stop: () => Promise.resolve() } });
    await other.advance(10_000);
    isBehind = false;
    await other.advance(5_000);
    await other.advance(10_000);
    expect(other.receiver.requests).toHaveLength(1);
    await other.stop();
  });

  it('reads pending deliveries page by page', async () => {
    const receiver = scene.receiver;
    const webhookId = await scene.webhook('shop', ['job.created']);
    await scene.webhook('other', ['job.created']);
    scene.fanOut.start();
    for (let n = 0; n < 350; n++) await scene.append(`job-${n}`, { type: 'JobCreated', data: jobOf(n) });
    await scene.quiet();
    await scene.fanOut.stop();
    expect((await scene.deliveries.readyFor(webhookId, { limit: 500 })).items).toHaveLength(350);
    const newestFirst = await scene.deliveries.listDeliveries(ACCOUNT, { webhookId }, 500);
    await scene.start();
    const sent = receiver.to(at('shop')).map(({ eventId }) => eventId);
    expect(sent).toEqual(newestFirst.map(({ event_id }) => event_id).reverse());
    expect(receiver.to(at('other'))).toHaveLength(350);
  });

  it('stops after the attempts in flight have ended, and starts no others', async () => {
    await scene.start();
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    for (let n = 0; n < 6; n++) await scene.job();
    let ended = false;
    const stopping = scene.stop().then(() => (ended = true));
    await scene.quiet();
    expect(ended).toBe(false);
    for (const request of scene.receiver.held) request.answer();
    await stopping;
    expect(scene.receiver.requests).toHaveLength(4);
    await scene.start();
    expect(scene.receiver.held.size).toBe(2);
  });
});

describe('stores that are unavailable', () => {
  it('stores the outcome once the stores are available again', async () => {
    let failures = 0;
    const around = (stores: Stores): Stores => {
      const append: EventStore['appendInOrder'] = (appends) => {
        if (failures === 0) return stores.events.appendInOrder(appends);
        failures--;
        return Promise.reject(new UnavailableError('full', 'not_written'));
      };
      const events = new Proxy(stores.events, {
        get: (store, name) => {
          if (name === 'append') return async (one: never) => (await append([one]))[0];
          const own = store[name as keyof EventStore] as unknown;
          return typeof own === 'function' ? own.bind(store) : own;
        },
      });
      return { ...stores, events };
    };
    scene = new WebhookScene({ stores: testStores(), around });
    await scene.start();
    const webhookId = await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    await scene.job();
    failures = 12;
    scene.receiver.heldAt(at('shop'))[0]!.answer();
    await scene.quiet();
    expect((await scene.delivery(webhookId)).status).toBe('delivering');
    for (let n = 0; n < 5; n++) await scene.advance(1_000);
    expect((await scene.delivery(webhookId)).status).toBe('delivered');
    expect(scene.receiver.requests).toHaveLength(1);
    expect(scene.errors).not.toHaveLength(0);
  });
});

function jobOf(n: number): object {
  return { jobId: `${n}`, accountId: ACCOUNT, expiresAt: '2026-11-22T12:00:00.000Z' };
}
