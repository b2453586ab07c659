import { failing } from '../../../../test/kit/manual-receiver.js';
import { pause, soon } from '../../../../test/kit/polling.js';
import { at, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import {
  EventStore,
  type Append,
  type AppendOptions,
} from '../../../event-sourcing/ports/event-store.port.js';
import type { Stores } from '../../../event-sourcing/ports/stores.js';
import { ConcurrencyError } from '../../../kernel/errors.js';

/** Another writer appends first to a delivery whose attempt begins: once, after something else happened. */
class LostStart {
  meanwhile: (() => Promise<unknown>) | undefined;

  around = (stores: Stores): Stores => {
    const append = async (given: Append, options?: AppendOptions) => {
      const { meanwhile } = this;
      if (!meanwhile || given.events[0]!.type !== 'DeliveryAttemptStarted')
        return stores.events.append(given, options);
      this.meanwhile = undefined;
      await meanwhile();
      throw new ConcurrencyError(given.stream, given.expected, Number(given.expected) + 1);
    };
    const events = new Proxy(stores.events, {
      get: (store, name) => {
        if (name === 'append') return append;
        const own = store[name as keyof EventStore] as unknown;
        return typeof own === 'function' ? own.bind(store) : own;
      },
    });
    return { ...stores, events };
  };
}

describe('the start of an attempt that lost its race', () => {
  let lost: LostStart;
  let scene: WebhookScene;
  let webhookId: string;
  beforeEach(async () => {
    lost = new LostStart();
    scene = await new WebhookScene({ around: lost.around }).start();
    webhookId = await scene.webhook('shop', ['job.created']);
    scene.receiver.behave(at('shop'), failing);
    await scene.job();
    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'retry_scheduled', attempt_count: 1 });
  });
  afterEach(async () => {
    expect(scene.errors).toEqual([]);
    await scene.stop();
  });
  const due = () => scene.advance(30_000);

  it('is not repeated for a webhook that was paused meanwhile', async () => {
    lost.meanwhile = () => scene.update(webhookId, { status: 'paused' });
    await due();
    // Longer than the pause between two tries.
    await pause(50);
    expect(scene.receiver.to(at('shop'))).toHaveLength(1);
    expect(await scene.delivery(webhookId)).toMatchObject({ queue: 'ready', attempt_count: 1 });
    await scene.update(webhookId, { status: 'active' });
    await soon(async () => (await scene.delivery(webhookId)).attempt_count === 2);
  });

  it('is repeated with the current address', async () => {
    lost.meanwhile = () => scene.update(webhookId, { url: at('new'), target: at('new') });
    await due();
    await soon(async () => (await scene.delivery(webhookId)).status === 'delivered');
    expect([scene.receiver.to(at('shop')).length, scene.receiver.to(at('new')).length]).toEqual([1, 1]);
    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });
});
