import { at, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import { webhookDeliveriesView } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import type { Stores } from '../../../event-sourcing/ports/stores.js';
import type { Found, ViewQuery, ViewStore } from '../../../event-sourcing/ports/view-store.port.js';

/** While frozen, the view of deliveries returns old lists. */
class LaggingViews {
  private readonly frozen = new Map<string, Found<unknown>>();
  isFrozen = false;

  around = (stores: Stores): Stores => {
    const find = async (view: typeof webhookDeliveriesView, query: ViewQuery) => {
      const key = JSON.stringify(query);
      if (view.name !== webhookDeliveriesView.name) return stores.views.find(view, query);
      const known = this.isFrozen ? this.frozen.get(key) : undefined;
      const found = known ?? (await stores.views.find(view, query));
      this.frozen.set(key, this.isFrozen && !known ? { documents: [], positions: [] } : found);
      return this.frozen.get(key)!;
    };
    const views = new Proxy(stores.views, {
      get: (store, name) => {
        if (name === 'find') return find;
        const own = store[name as keyof ViewStore] as unknown;
        return typeof own === 'function' ? own.bind(store) : own;
      },
    });
    return { ...stores, views };
  };
}

describe('views that lag behind the events', () => {
  let views: LaggingViews;
  let scene: WebhookScene;
  beforeEach(async () => {
    views = new LaggingViews();
    scene = await new WebhookScene({ around: views.around, sending: { alone: false } }).start();
  });
  afterEach(async () => {
    expect(scene.errors).toEqual([]);
    await scene.stop();
  });

  it('cause no second request for a delivery still shown as ready', async () => {
    await scene.webhook('shop');
    scene.receiver.behave(at('shop'));
    for (let n = 0; n < 10; n++) await scene.job();
    // A read would now return six as ready.
    await scene.advance(60_000);
    views.isFrozen = true;
    scene.receiver.behaviours.clear();
    for (const request of scene.receiver.held) request.answer();
    await scene.quiet();
    await scene.advance(60_000);
    await scene.advance(60_000);
    const sent = scene.receiver.requests.map(({ eventId }) => eventId);
    expect([sent.length, new Set(sent).size]).toEqual([10, 10]);
  });

  it('delay other ready deliveries until they have caught up', async () => {
    await scene.webhook('shop', ['job.created']);
    scene.receiver.behave(at('shop'));
    views.isFrozen = true;
    // More than the ids in one queue.
    for (let n = 0; n < 150; n++) await scene.job();
    scene.receiver.behaviours.clear();
    for (const request of scene.receiver.held) request.answer();
    await scene.quiet();
    expect(scene.receiver.requests).toHaveLength(104);
    views.isFrozen = false;
    await scene.advance(1_500);
    expect(scene.receiver.requests).toHaveLength(150);
  });
});
