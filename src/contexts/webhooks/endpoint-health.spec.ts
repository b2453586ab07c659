import { webhookDeliveriesView } from '../../../projections/webhook-deliveries/webhook-deliveries.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { failing, taken } from '../../../test/kit/manual-receiver.js';
import { ACCOUNT, at, by, WebhookScene } from '../../../test/kit/webhook-scene.js';
import type { Stores } from '../../event-sourcing/ports/stores.js';
import type { Where } from '../../event-sourcing/ports/view-store.port.js';
import { UnavailableError } from '../../kernel/errors.js';

const HOUR = 3_600_000;
/** New deliveries after which a webhook is counted. */
const ROOM = 1_000;

/** Stores that count more unfinished deliveries than there are. */
class LongBacklogs {
  /** Added to each count. */
  more = 0;
  isFailing = false;
  counts = 0;

  around = (stores: Stores): Stores => {
    const { views } = stores;
    const count = views.count.bind(views);
    views.count = async (view: typeof webhookDeliveriesView, where: Where) => {
      if (view.name !== webhookDeliveriesView.name) return count(view, where);
      this.counts++;
      if (this.isFailing) throw new UnavailableError('the views do not answer');
      return this.more + (await count(view, where));
    };
    return stores;
  };
}

describe('an endpoint with many unfinished deliveries', () => {
  let backlogs: LongBacklogs;
  let scene: WebhookScene;
  let webhookId: string;
  beforeEach(async () => {
    backlogs = new LongBacklogs();
    scene = await new WebhookScene({ around: backlogs.around }).start();
    webhookId = await scene.webhook('shop', ['job.created']);
  });
  afterEach(async () => {
    expect(scene.errors).toEqual([]);
    scene.receiver.behaviours.clear();
    for (const request of scene.receiver.held) request.answer();
    await scene.stop();
  });

  let jobs = 0;
  /** Stores this many events, each for one delivery. */
  async function events(n: number) {
    const { stores, clock } = scene;
    const metadata = { ...by, at: clock.now(), schemaVersion: 1 };
    const created = Array.from({ length: n }, () => {
      const id = String(jobs++);
      return {
        stream: `job-${id}`,
        expected: 'no_stream' as const,
        events: [{ id, ...the.created, metadata }],
      };
    });
    await stores.events.appendInOrder(created);
    await scene.quiet();
  }
  const shown = () => scene.webhooks.getWebhook(ACCOUNT, webhookId);
  const pauses = async () => {
    const all = await scene.stores.events.load(`webhooks-${ACCOUNT}`);
    return all.filter(({ type }) => type === 'WebhookPaused');
  };
  /** Another instance on the same stores. */
  const again = () => {
    const { stores, clock, receiver } = scene;
    return new WebhookScene({ stores, clock, receiver });
  };
  const unfinished = () => scene.deliveries.countUnfinished(ACCOUNT, webhookId);

  /** The webhook is paused by its backlog, with 1,000 deliveries that wait. */
  async function paused() {
    scene.receiver.behave(at('shop'), failing);
    backlogs.more = 10_000 - ROOM;
    await events(ROOM);
    expect(await shown()).toMatchObject({ status: 'paused', paused_reason: 'backlog_full' });
    backlogs.more = 0;
  }

  it('is paused once 10,000 wait and none has succeeded for an hour', async () => {
    scene.receiver.behave(at('shop'), failing);
    backlogs.more = 10_000 - ROOM;
    await events(ROOM - 1);
    expect(await shown()).toMatchObject({ status: 'active' });
    await events(1);
    expect(await shown()).toMatchObject({ status: 'paused', paused_reason: 'backlog_full' });
    expect(await pauses()).toMatchObject([
      {
        data: { webhookId, reason: 'backlog_full' },
        metadata: { actor: { kind: 'process', id: 'webhook-fan-out' }, causationId: String(jobs - 1) },
      },
    ]);
  });

  it('gets no delivery for events that happen while it is paused', async () => {
    await paused();
    await events(10);
    expect(await unfinished()).toBe(ROOM);
  });

  it('sends waiting and new deliveries after a resume', async () => {
    await paused();
    scene.receiver.behave(at('shop'), taken);
    await scene.update(webhookId, { status: 'active' });
    await events(1);
    await scene.advance(30_000);
    expect(await unfinished()).toBe(0);
    expect(await shown()).toMatchObject({ status: 'active' });
  });

  it('gets room for 1,000 further deliveries after a resume or a restart', async () => {
    await paused();
    backlogs.more = 10_000;
    await scene.stop();
    const next = await again().start();
    await scene.update(webhookId, { status: 'active' });
    await events(ROOM - 1);
    expect(await shown()).toMatchObject({ status: 'active' });
    await events(1);
    expect(await shown()).toMatchObject({ status: 'paused', paused_reason: 'backlog_full' });
    await next.stop();
  });

  it('stays active in a burst while it has not failed', async () => {
    scene.receiver.behave(at('shop'));
    backlogs.more = 50_000;
    await events(2 * ROOM);
    expect(await shown()).toMatchObject({ status: 'active' });
  });

  it('stays active at 10,000 within an hour of a success', async () => {
    await events(1);
    scene.receiver.behave(at('shop'), failing);
    backlogs.more = 50_000;
    await scene.advance(HOUR);
    await events(ROOM);
    expect(await shown()).toMatchObject({ status: 'active' });
    await scene.advance(1);
    await events(ROOM);
    expect(await shown()).toMatchObject({ status: 'paused' });
  });

  it('is counted again only when the room of the previous count is used up', async () => {
    scene.receiver.behave(at('shop'));
    backlogs.more = 7_000;
    await events(ROOM);
    await events(1_999);
    expect(backlogs.counts).toBe(1);
    await events(1);
    expect(backlogs.counts).toBe(2);
  });

  it('gets its deliveries even while the views cannot count', async () => {
    backlogs.isFailing = true;
    await events(ROOM + 5);
    expect(scene.errors.splice(0)).toEqual([expect.objectContaining({ message: 'the views do not answer' })]);
    expect(scene.receiver.to(at('shop'))).toHaveLength(ROOM + 5);
  });

  it('is paused once when two instances count it', async () => {
    const other = await again().start();
    await paused();
    expect(await pauses()).toHaveLength(1);
    expect(other.errors).toEqual([]);
    await other.stop();
  });
});

describe('an endpoint that fails for days', () => {
  let scene: WebhookScene;
  let webhookId: string;
  beforeEach(async () => {
    scene = await new WebhookScene().start();
    webhookId = await scene.webhook('shop', ['job.created']);
    scene.receiver.behave(at('shop'), failing);
  });
  afterEach(() => scene.stop());

  const DAY = 24 * HOUR;
  const shown = async () => (await scene.webhooks.getWebhook(ACCOUNT, webhookId))!;
  /** A delivery becomes a dead letter after six attempts. */
  const deadLetter = async () => {
    await scene.job(the.created);
    for (const delay of [30_000, 120_000, 600_000, HOUR, 6 * HOUR]) await scene.advance(delay);
  };

  it('is paused at the first failure after five days, if there were twenty', async () => {
    for (let n = 0; n < 4; n++) await deadLetter();
    await scene.advance(5 * DAY - 40 * HOUR);
    expect(await shown()).toMatchObject({ status: 'active' });
    await scene.advance(40 * HOUR);
    await scene.job(the.created);
    expect(await shown()).toMatchObject({ status: 'paused', paused_reason: 'failing' });
    const [pause] = (await scene.stores.events.load(`webhooks-${ACCOUNT}`)).filter(
      ({ type }) => type === 'WebhookPaused',
    );
    expect(pause!.metadata.actor).toEqual({ kind: 'process', id: 'webhook-health' });
  });

  it('stays active with fewer failures', async () => {
    for (let n = 0; n < 3; n++) await deadLetter();
    await scene.advance(5 * DAY);
    await scene.job(the.created);
    expect(await shown()).toMatchObject({ status: 'active' });
  });

  it('stays active if it has succeeded meanwhile', async () => {
    for (let n = 0; n < 2; n++) await deadLetter();
    scene.receiver.behave(at('shop'), taken);
    await scene.job(the.created);
    scene.receiver.behave(at('shop'), failing);
    for (let n = 0; n < 3; n++) await deadLetter();
    await scene.advance(4 * DAY);
    await scene.job(the.created);
    expect(await shown()).toMatchObject({ status: 'active' });
  });

  it('has five days again after a resume', async () => {
    for (let n = 0; n < 4; n++) await deadLetter();
    await scene.advance(5 * DAY);
    await scene.job(the.created);
    await scene.update(webhookId, { status: 'active' });
    await deadLetter();
    expect(await shown()).toMatchObject({ status: 'active' });
    await scene.advance(5 * DAY);
    await scene.job(the.created);
    expect(await shown()).toMatchObject({ status: 'paused', paused_reason: 'failing' });
  });
});
