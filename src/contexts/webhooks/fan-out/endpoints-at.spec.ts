import * as the from '../../../../test/kit/examples/webhooks.js';
import { metadata } from '../../../../test/kit/recorded.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { deliveryIdOf } from '../webhook.aggregates.js';
import type { EndpointEvent } from '../domain/endpoint.events.js';
import { subscribersTo } from '../domain/endpoint.state.js';
import { EndpointsAt } from './endpoints-at.js';
import { TestEventStore } from '../../../../test/kit/stores.js';

/** A log of these webhook events with a job event between each two. */
async function logOf(...events: EndpointEvent[]) {
  const store = new TestEventStore();
  for (const [n, event] of events.entries()) {
    const expected = n === 0 ? ('no_stream' as const) : n - 1;
    const stored = { ...event, id: `webhook-${n}`, metadata };
    await store.append({ stream: the.WEBHOOKS_STREAM, expected, events: [stored] });
    const job = { type: 'JobExpired', data: {}, id: `job-${n}`, metadata };
    await store.append({ stream: `job-${n}`, expected: 'no_stream', events: [job] });
  }
  return { store, log: await store.readAll({ max: 1000 }) };
}

/** The number of recipients of each job event, for a reader that starts at `from`. */
async function recipientCounts(
  store: TestEventStore,
  log: readonly RecordedEvent[],
  from = 0,
): Promise<number[]> {
  const endpoints = new EndpointsAt(store);
  const counts: number[] = [];
  for (const event of log.slice(from)) {
    endpoints.see(event);
    if (event.stream.startsWith('webhooks-')) continue;
    counts.push(subscribersTo(await endpoints.at(the.ACCOUNT_ID, event.position), 'job.expired').length);
  }
  return counts;
}

describe('endpoints at a position', () => {
  const story = [
    the.created(),
    the.paused(),
    the.created(the.OTHER_ID, { ...the.elsewhere('other'), eventTypes: ['job.expired'] }),
    the.resumed,
    the.deleted,
  ];

  it('are those active at the event, wherever reading begins', async () => {
    const { store, log } = await logOf(...story);
    const expected = [1, 0, 1, 2, 1];
    for (let from = 0; from < log.length; from++) {
      expect(await recipientCounts(store, log, from)).toEqual(expected.slice(Math.floor(from / 2)));
    }
  });

  it('ignore a repeated event', async () => {
    const { store, log } = await logOf(...story);
    const endpoints = new EndpointsAt(store);
    for (const event of [...log, ...log]) {
      endpoints.see(event);
      await endpoints.at(the.ACCOUNT_ID, log.at(-1)!.position);
    }
    const now = await endpoints.at(the.ACCOUNT_ID, log.at(-1)!.position);
    expect(Object.keys(now.webhooks)).toEqual([the.OTHER_ID]);
  });
});

describe('the id of a delivery', () => {
  it('is unique to the webhook and the event', () => {
    const id = deliveryIdOf(the.WEBHOOK_ID, the.EVENT_ID);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deliveryIdOf(the.WEBHOOK_ID, the.EVENT_ID)).toBe(id);
    expect(deliveryIdOf(the.OTHER_ID, the.EVENT_ID)).not.toBe(id);
    expect(deliveryIdOf(the.WEBHOOK_ID, the.TEST_ID)).not.toBe(id);
  });
});
