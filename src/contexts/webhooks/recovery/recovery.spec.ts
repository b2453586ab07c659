import { randomUUID } from 'node:crypto';
import * as the from '../../../../test/kit/examples/jobs.js';
import { failing } from '../../../../test/kit/manual-receiver.js';
import { ACCOUNT, at, by, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { plus } from '../../../kernel/time.js';
import { StartWebhookRecovery } from '../domain/endpoint.commands.js';
import { PUBLIC_EVENT_TYPES, type RecoveryInterval } from '../domain/endpoint.events.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DELAYS = [30_000, 120_000, 600_000, HOUR, 6 * HOUR];

let scene: WebhookScene;
let webhookId: string;
let began: string;
beforeEach(async () => {
  scene = await new WebhookScene().start();
  began = scene.clock.now();
  webhookId = await scene.webhook('shop');
});
afterEach(async () => {
  expect(scene.errors).toEqual([]);
  await scene.stop();
});

const intervalOf = (changes: Partial<RecoveryInterval> = {}): RecoveryInterval => ({
  ...{ since: began, until: scene.clock.now(), eventTypes: PUBLIC_EVENT_TYPES, includeDelivered: false },
  ...changes,
});
const count = async (changes: Partial<RecoveryInterval> = {}) => {
  const counted = await scene.missed.count({ accountId: ACCOUNT, webhookId, ...intervalOf(changes) });
  return counted.ok ? counted.events : counted.rejection.code;
};
const start = (changes: Partial<RecoveryInterval> = {}, webhook = webhookId) => {
  const recovery = { recoveryId: randomUUID(), interval: intervalOf(changes), at: scene.clock.now(), by };
  return scene.send(
    ACCOUNT,
    new StartWebhookRecovery({ accountId: ACCOUNT, webhookId: webhook, ...recovery }),
  );
};
const recovery = async () => (await scene.webhooks.getWebhook(ACCOUNT, webhookId))!.recovery;
const received = (name = 'shop') => scene.receiver.to(at(name)).map(({ eventId }) => eventId);
/** Runs `work` while the webhook is paused. */
const whilePaused = async (work: () => Promise<unknown>) => {
  await scene.update(webhookId, { status: 'paused' });
  await work();
  await scene.update(webhookId, { status: 'active' });
};
/** A job of another account. */
const stranger = () =>
  scene.append(`job-${randomUUID()}`, {
    ...the.created,
    data: { ...the.created.data, accountId: randomUUID() },
  });

describe('recovering what a webhook missed', () => {
  it('sends the events of a pause once, and only those of its account and types', async () => {
    const own = await scene.job();
    const missed: RecordedEvent[] = [];
    await whilePaused(async () => {
      await stranger();
      missed.push(...(await scene.job(the.created, the.queued)));
    });
    expect(await count()).toBe(2);
    expect(await count({ eventTypes: ['job.queued'] })).toBe(1);
    await start();
    const ids = missed.map(({ id }) => id);
    expect(received()).toEqual([own[0]!.id, ...ids]);
    expect(await recovery()).toMatchObject({ status: 'finished', recovered: 2 });
    await start();
    expect([received().length, await count()]).toEqual([3, 0]);
  });

  it('covers the times of the interval only, both included', async () => {
    const at: string[] = [];
    await whilePaused(async () => {
      for (let n = 0; n < 3; n++) {
        await scene.advance(HOUR);
        at.push(scene.clock.now());
        await scene.job();
      }
    });
    expect(await count({ since: at[1]!, until: at[1]! })).toBe(1);
    expect(await count({ since: plus(at[1]!, 1), until: plus(at[2]!, -1) })).toBe(0);
    await start({ since: at[1]! });
    expect(received()).toHaveLength(2);
  });

  it('tries dead letters and waiting deliveries again, with all their attempts', async () => {
    scene.receiver.behave(at('shop'), failing);
    const [dead] = await scene.job();
    for (const delay of DELAYS) await scene.advance(delay);
    const [waiting] = await scene.job();
    expect(await count()).toBe(2);
    scene.receiver.behaviours.clear();
    const before = received().length;
    await start();
    expect(received().slice(before)).toEqual([dead!.id, waiting!.id]);
    expect(new Set(received())).toEqual(new Set([dead!.id, waiting!.id]));
    await scene.advance(DAY);
    expect(received()).toHaveLength(before + 2);
  });

  it('sends delivered events again only if asked to', async () => {
    const [event] = await scene.job();
    expect(await count()).toBe(0);
    expect(await count({ includeDelivered: true })).toBe(1);
    await start({ includeDelivered: true });
    expect(received()).toEqual([event!.id, event!.id]);
  });

  it('creates deliveries again that were removed after thirty days', async () => {
    const [event] = await scene.job();
    await scene.advance(31 * DAY);
    await scene.advance(DAY);
    expect(await scene.delivery(webhookId)).toBeUndefined();
    expect(await count()).toBe(1);
    await start();
    expect(received()).toEqual([event!.id, event!.id]);
    expect(await scene.delivery(webhookId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('finds events that happened before the webhook was created', async () => {
    await scene.job();
    webhookId = await scene.webhook('late');
    await start();
    expect(received('late')).toEqual(received('shop'));
  });

  it('leaves out tests, and what is pending or in flight', async () => {
    scene.receiver.behave(at('shop'));
    await scene.job();
    expect(await count({ includeDelivered: true })).toBe(0);
    for (const request of scene.receiver.held) request.answer();
    await scene.quiet();
  });
});

describe('a running recovery', () => {
  /** Counts this many unfinished deliveries more than there are. */
  const pretend = (more: number) => {
    const original = scene.deliveries.countUnfinished.bind(scene.deliveries);
    const { deliveries } = scene;
    deliveries.countUnfinished = async (...of) => more + (await original(...of));
    return () => (deliveries.countUnfinished = original);
  };

  it('waits while 5,000 deliveries wait, so that it does not pause the webhook', async () => {
    await whilePaused(() => scene.job());
    const end = pretend(5_000);
    await start();
    await scene.advance(DAY);
    expect([received().length, (await recovery())!.status]).toEqual([0, 'running']);
    end();
    await scene.advance(1_000);
    expect([received().length, (await recovery())!.status]).toEqual([1, 'finished']);
  });

  it('waits while its webhook is paused, and goes on afterwards', async () => {
    await whilePaused(() => scene.job());
    const end = pretend(5_000);
    await start();
    await scene.update(webhookId, { status: 'paused' });
    end();
    await scene.advance(HOUR);
    expect(received()).toEqual([]);
    await scene.update(webhookId, { status: 'active' });
    expect([received().length, (await recovery())!.status]).toEqual([1, 'finished']);
  });

  it('does not delay that of another webhook', async () => {
    const other = await scene.webhook('other');
    await scene.update(other, { status: 'paused' });
    await whilePaused(() => scene.job());
    await scene.update(other, { status: 'active' });
    const original = scene.deliveries.countUnfinished.bind(scene.deliveries);
    scene.deliveries.countUnfinished = async (account, webhook) =>
      webhook === webhookId ? 5_000 : original(account, webhook);
    await start();
    await start({}, other);
    expect([received('shop').length, received('other').length]).toEqual([0, 1]);
  });

  it('goes on in the next process', async () => {
    const missed: string[] = [];
    await whilePaused(async () => {
      for (let n = 0; n < 600; n++) missed.push((await scene.append(`job-${n}`, the.created))[0]!.id);
    });
    // The process ends after the first page of the log.
    const page = scene.missed.page.bind(scene.missed);
    let pages = 0;
    let end: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    scene.missed.page = async (...of) => {
      if (pages++ > 0) await ended;
      return page(...of);
    };
    await start();
    expect(await recovery()).toMatchObject({ status: 'running' });
    const { stores, clock, receiver } = scene;
    const next = await new WebhookScene({ stores, clock, receiver }).start();
    expect(await recovery()).toMatchObject({ status: 'finished' });
    expect(received().sort()).toEqual(missed.sort());
    end!();
    await next.stop();
  });

  it('begins early enough in the next process although the clock of another one was ahead', async () => {
    scene.clock.advance(HOUR);
    await scene.append('job-ahead', the.created);
    scene.clock.advance(-HOUR);
    const { last } = await scene.missed.page({ accountId: ACCOUNT, webhookId, ...intervalOf() }, undefined);
    expect(last!.at).toBe(began);
  });

  it('ends with its webhook', async () => {
    await whilePaused(() => scene.job());
    pretend(5_000);
    await start();
    await scene.remove(webhookId);
    await scene.advance(HOUR);
    expect(received()).toEqual([]);
  });
});

describe('counting missed events', () => {
  it('counts once at a time for each account', async () => {
    const counts = await Promise.all([count(), count()]);
    expect(counts).toEqual([0, 'RecoveryRunning']);
    expect(await count()).toBe(0);
  });

  it('gives up after ten seconds', async () => {
    await scene.job();
    const read = scene.stores.events.readAll.bind(scene.stores.events);
    scene.stores.events.readAll = (options) => {
      scene.clock.advance(10_000);
      return read(options);
    };
    expect(await count()).toBe('RecoveryTooLarge');
    scene.stores.events.readAll = read;
  });
});
