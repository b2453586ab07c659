import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as the from '../../../../test/kit/examples/jobs.js';
import { failing, taken, type HeldRequest } from '../../../../test/kit/manual-receiver.js';
import { ACCOUNT, at, by, WebhookScene } from '../../../../test/kit/webhook-scene.js';
import { StartWebhookRecovery } from '../domain/endpoint.commands.js';
import { PUBLIC_EVENT_TYPES } from '../domain/endpoint.events.js';

const STORY = [the.created, the.queued, the.leased(), the.accepted()];
const TEN_MINUTES = 600_000;
const DELAYS = [30_000, 120_000, TEN_MINUTES, 3_600_000, 21_600_000];

let scene: WebhookScene;
let webhookId: string;
const opened = async () => {
  scene = await new WebhookScene().start();
  webhookId = await scene.webhook('shop');
  await scene.update(webhookId, { ordered: true });
  scene.receiver.behave(at('shop'));
};
const closed = async () => {
  expect(scene.errors).toEqual([]);
  scene.receiver.behaviours.clear();
  for (const request of scene.receiver.held) request.answer();
  await scene.stop();
};

const placeOf = ({ body }: HeldRequest) => {
  const { job } = body.data as { readonly job: { readonly job_id: string } };
  return { job: job.job_id, sequence: Number(body.sequence) };
};
const inFlight = () =>
  [...scene.receiver.held].map((request) => Object.values(placeOf(request)).join('@')).sort();
const answer = async (place: string, answered = taken) => {
  const [job, sequence] = place.split('@');
  const isMeant = (request: HeldRequest) => {
    const { job: id, sequence: n } = placeOf(request);
    return id === job && n === Number(sequence);
  };
  [...scene.receiver.held].find(isMeant)!.answer(answered);
  await scene.quiet();
};
/** Stores the event of a job that follows those of before. */
const store = async (job: string, revision: number) => {
  const metadata = { ...by, at: scene.clock.now(), schemaVersion: 1 };
  const { type, data } = STORY[revision]!;
  const jobData = type === 'JobCreated' ? { ...data, jobId: job } : data;
  const event = { id: `${job}-${revision}`.padStart(36, '0'), type, data: jobData, metadata };
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  await scene.stores.events.append({ stream: `job-${job}`, expected, events: [event] });
};

describe('an ordered webhook', () => {
  beforeEach(opened);
  afterEach(closed);

  it('gets the events of a job one after the other, and those of others meanwhile', async () => {
    for (let n = 0; n < 3; n++) await store('a', n);
    await store('b', 0);
    await scene.quiet();
    expect(inFlight()).toEqual(['a@0', 'b@0']);
    await answer('a@0');
    expect(inFlight()).toEqual(['a@1', 'b@0']);
    await answer('b@0');
    await answer('a@1');
    expect(inFlight()).toEqual(['a@2']);
  });

  it('gets a later event only after the retry of the earlier one', async () => {
    await store('a', 0);
    await store('a', 1);
    await scene.quiet();
    await answer('a@0', failing);
    await store('b', 0);
    await scene.quiet();
    expect(inFlight()).toEqual(['b@0']);
    await scene.advance(30_000);
    expect(inFlight()).toEqual(['a@0', 'b@0']);
    await answer('a@0');
    expect(inFlight()).toEqual(['a@1', 'b@0']);
  });

  it('gets later events after a dead letter', async () => {
    await store('a', 0);
    await store('a', 1);
    await scene.quiet();
    for (const delay of DELAYS) {
      await answer('a@0', failing);
      await scene.advance(delay);
    }
    await answer('a@0', failing);
    expect(inFlight()).toEqual(['a@1']);
  });

  it('gets dead letters in order when they are recovered', async () => {
    scene.receiver.behave(at('shop'), failing);
    const since = scene.clock.now();
    await store('a', 0);
    await store('a', 1);
    await scene.quiet();
    for (const delay of [...DELAYS, ...DELAYS]) await scene.advance(delay);
    expect(scene.receiver.requests).toHaveLength(12);
    scene.receiver.behave(at('shop'));
    const interval = {
      since,
      until: scene.clock.now(),
      eventTypes: PUBLIC_EVENT_TYPES,
      includeDelivered: false,
    };
    const recovery = { recoveryId: randomUUID(), interval, at: scene.clock.now(), by };
    await scene.send(ACCOUNT, new StartWebhookRecovery({ accountId: ACCOUNT, webhookId, ...recovery }));
    expect(inFlight()).toEqual(['a@0']);
    await answer('a@0');
    expect(inFlight()).toEqual(['a@1']);
  });

  it('keeps the order after a restart', async () => {
    for (let n = 0; n < 3; n++) await store('a', n);
    await scene.quiet();
    await answer('a@0', failing);
    await scene.stop();
    const { stores, clock, receiver } = scene;
    scene = await new WebhookScene({ stores, clock, receiver }).start();
    expect(inFlight()).toEqual([]);
    await scene.advance(30_000);
    expect(inFlight()).toEqual(['a@0']);
    await answer('a@0');
    expect(inFlight()).toEqual(['a@1']);
  });
});

describe('every order of events and answers', () => {
  /** Answers all requests, a fifth of them with a failure, in an order that follows from `seed`. */
  async function everythingArrived(seed: number) {
    const arrived = new Map<string, number[]>();
    let turn = seed;
    const next = (below: number) => (turn = (turn * 48_271) % 2_147_483_647) % below;
    while ((await scene.deliveries.countUnfinished(ACCOUNT, webhookId)) > 0) {
      const held = [...scene.receiver.held];
      const jobs = held.map((request) => placeOf(request).job);
      expect(new Set(jobs).size).toBe(jobs.length);
      if (held.length === 0) await scene.advance(TEN_MINUTES);
      else {
        const request = held[next(held.length)]!;
        const { job, sequence } = placeOf(request);
        // Six failures would end it as a dead letter.
        const tries = scene.receiver.requests.filter(({ eventId }) => eventId === request.eventId).length;
        const isFailing = next(5) === 0 && tries < 6;
        if (!isFailing) arrived.set(job, [...(arrived.get(job) ?? []), sequence]);
        request.answer(isFailing ? failing : taken);
        await scene.quiet();
      }
    }
    return arrived;
  }

  it('keeps the events of each job in order, with one in flight', async () => {
    const story = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 2_147_483_646 }), async (jobs, seed) => {
        await opened();
        const stored = new Map<string, number>();
        for (const n of jobs) {
          const revision = stored.get(`job${n}`) ?? 0;
          if (revision === STORY.length) continue;
          await store(`job${n}`, revision);
          stored.set(`job${n}`, revision + 1);
        }
        await scene.quiet();
        const arrived = await everythingArrived(seed);
        for (const [job, count] of stored)
          expect(arrived.get(job)).toEqual(Array.from({ length: count }, (_, n) => n));
        await closed();
      }),
      { numRuns: 20 },
    );
  });
});
