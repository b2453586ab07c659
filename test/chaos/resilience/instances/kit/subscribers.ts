import { publicTypeOf } from '../../../../../src/contexts/webhooks/index.js';
import { contentOf, WebhookReceiver, type ReceivedRequest } from '../../../../kit/webhook-receiver.js';
import { byStream, type StoredEvent } from '../../../../kit/stored-events.js';
import type { Fleet } from './fleet.js';

/** Event types by path; none means all. */
const ENDPOINTS: Readonly<Record<string, readonly string[] | undefined>> = {
  '/ok/all': undefined,
  '/ok/ends': ['job.spooler_completed', 'job.cancelled', 'job.failed'],
};

/** A killed instance interrupts attempts; one that was frozen finds that their time is over. */
const BY_AN_OUTAGE = ['INTERRUPTED', 'TIMEOUT'];

export interface Told {
  readonly events: number;
  readonly requests: number;
  /** Repeated requests, of one event to one endpoint. */
  readonly duplicates: number;
  readonly interrupted: number;
}

/** Endpoints of one account, and the requests they received. */
export class Subscribers {
  private constructor(
    private readonly receiver: WebhookReceiver,
    private readonly accountId: string,
    /** Id of the webhook by path. */
    private readonly webhooks: ReadonlyMap<string, string>,
  ) {}

  static async subscribe(fleet: Fleet, { accountId, key }: { accountId: string; key: string }) {
    const receiver = await WebhookReceiver.start();
    const webhooks = new Map<string, string>();
    for (const [path, event_types] of Object.entries(ENDPOINTS)) {
      const json = { url: `http://127.0.0.1:${receiver.port}${path}`, ...(event_types && { event_types }) };
      const created = await fleet.call('POST', '/svc-create-webhook', { as: key, json });
      if (created.status !== 201) throw new Error(created.text);
      webhooks.set(path, String((created.body.data!.webhook as { webhook_id: string }).webhook_id));
    }
    return new Subscribers(receiver, accountId, webhooks);
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** Number of events not yet recorded as delivered, by path. */
  missing(events: readonly StoredEvent[]): readonly { readonly path: string; readonly count: number }[] {
    const created = events.filter(({ type }) => type === 'DeliveryCreated');
    const streams = byStream(events);
    const delivered = new Set(
      created
        .filter(({ stream }) => streams.get(stream)!.some(({ type }) => type === 'DeliverySucceeded'))
        .map(({ data }) => `${String(data.webhookId)} ${String(data.eventId)}`),
    );
    return [...this.webhooks].map(([path, webhookId]) => {
      const left = this.expected(path, events).filter((id) => !delivered.has(`${webhookId} ${id}`));
      return { path, count: left.length };
    });
  }

  /**
   * Every event arrived at each subscribed endpoint and no other, and only interrupted deliveries were
   * repeated.
   */
  expectAllTold(events: readonly StoredEvent[], kills: number, inFlight: number): Told {
    const started = countBy(events.filter(({ type }) => type === 'DeliveryAttemptStarted'));
    let duplicates = 0;
    let told = 0;
    for (const path of this.webhooks.keys()) {
      const received = this.receivedAt(path);
      const expected = this.expected(path, events);
      told += expected.length;
      expect([...received.keys()].sort()).toEqual([...expected].sort());
      for (const [first, ...others] of received.values()) {
        duplicates += others.length;
        for (const other of others) expect(contentOf(other)).toEqual(contentOf(first!));
        const attempts = started.get(`delivery-${first!.headers['x-svc-delivery-id']}`) ?? 0;
        expect(others.length).toBeLessThan(attempts);
      }
    }
    const failed = events.filter(({ type }) => type === 'DeliveryAttemptFailed');
    const others = failed.filter(({ data }) => !BY_AN_OUTAGE.includes(String(data.failureCode)));
    expect(others.map(({ data }) => data.failureCode)).toEqual([]);
    const interrupted = failed.length;
    expect(interrupted).toBeLessThanOrEqual(kills * this.webhooks.size * inFlight);
    expect(duplicates).toBeLessThanOrEqual(interrupted);
    return { events: told, requests: this.receiver.requests.length, duplicates, interrupted };
  }

  /** Ids of the events that a path must receive: those of its account after its subscription. */
  private expected(path: string, events: readonly StoredEvent[]): readonly string[] {
    const webhookId = this.webhooks.get(path)!;
    const subscribed = events.findIndex(
      ({ type, data }) => type === 'WebhookCreated' && data.webhookId === webhookId,
    );
    const streams = byStream(events);
    return events
      .slice(subscribed + 1)
      .filter((event) => {
        const type = publicTypeOf(event);
        if (!type || !(ENDPOINTS[path]?.includes(type) ?? true)) return false;
        return streams.get(event.stream)![0]!.data.accountId === this.accountId;
      })
      .map(({ event_id }) => event_id);
  }

  private receivedAt(path: string): ReadonlyMap<string, readonly ReceivedRequest[]> {
    const received = new Map<string, ReceivedRequest[]>();
    for (const request of this.receiver.requests) {
      if (request.path !== path) continue;
      const id = request.headers['x-svc-event-id']!;
      received.set(id, [...(received.get(id) ?? []), request]);
    }
    return received;
  }
}

function countBy(events: readonly StoredEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stream } of events) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  return counts;
}
