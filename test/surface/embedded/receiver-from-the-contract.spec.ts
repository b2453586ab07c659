import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '../../kit/manual-clock.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount, TestAgent, type TestAccount } from '../../kit/world.js';
import { cancel, jobOf, newJob, SECOND } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

interface ReceivedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly account_id: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const TOLERANCE_SECONDS = 300;

/** Written only from the contract (section 6.1), independent of the service's code. */
class ContractReceiver {
  /** In the order of arrival, including duplicates. */
  readonly events: ReceivedEvent[] = [];
  /** Reasons for rejected requests. */
  readonly refused: string[] = [];
  secret = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const problem = this.take(request, Buffer.concat(chunks));
        if (problem !== undefined) this.refused.push(problem);
        response.writeHead(problem === undefined ? 204 : 400).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take({ method, headers }: IncomingMessage, body: Buffer): string | undefined {
    const header = (name: string) => String(headers[name] ?? '');
    const timestamp = header('x-svc-timestamp');
    if (method !== 'POST') return `${method} instead of POST`;
    if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return `stale: ${timestamp}`;
    const signed = [
      timestamp,
      header('x-svc-event-id'),
      header('x-svc-version'),
      header('x-svc-api-version'),
    ];
    const canonical = `${[...signed, header('x-svc-event-schema-version')].join('.')}.`;
    const hmac = createHmac('sha256', this.secret).update(canonical).update(body).digest('hex');
    const [expected, given] = [Buffer.from(`v1=${hmac}`), Buffer.from(header('x-svc-signature'))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'not signed by us';
    const event = JSON.parse(body.toString('utf8')) as ReceivedEvent;
    if (event.event_id !== header('x-svc-event-id')) return 'another event id';
    if (event.event_type !== header('x-svc-event')) return 'another event type';
    this.events.push(event);
    return undefined;
  }
}

/** Shown in the history of a job but not published. */
const HISTORY_ALONE = ['job.handoff_started'];

describe('a receiver written from the contract', () => {
  const service = serviceForAll({ env: INSECURE, clock: new ManualClock(new Date().toISOString()) });
  let receiver: ContractReceiver;
  let account: TestAccount;
  let clerk: WebhookClerk;
  let agent: TestAgent;
  let printerId: string;

  beforeAll(async () => {
    receiver = new ContractReceiver();
    account = await openAccount(service);
    clerk = new WebhookClerk(service, account.key);
    ({ secret: receiver.secret } = await clerk.open(await receiver.listen()));
    ({ agent, printerId } = await TestAgent.ready(service, account.accountId));
  });
  afterAll(() => receiver.close());

  const toldOf = (name: string, id: string) =>
    receiver.events.filter(({ data }) => data[name]?.[`${name}_id`] === id);

  /** Waits until all events of the history have arrived and no delivery is pending. */
  async function story(jobId: string) {
    const { history } = await jobOf(service, account.key, jobId);
    const told = history.filter((it) => !HISTORY_ALONE.includes(it.event_type));
    await eventually(
      () => toldOf('job', jobId),
      (events) => events.length >= told.length,
    );
    await eventually(
      () => clerk.list(),
      ({ deliveries }) => deliveries.every((it) => it.status === 'delivered'),
    );
    return { told, received: toldOf('job', jobId).sort((a, b) => a.sequence - b.sequence) };
  }

  const stories: Readonly<Record<string, readonly [() => Promise<string>, readonly string[]]>> = {
    printed: [
      async () => {
        const jobId = await newJob(service, account.key, printerId);
        await agent.print();
        return jobId;
      },
      ['created', 'queued', 'leased', 'accepted_by_agent', 'sent_to_spooler', 'spooler_completed'],
    ],
    cancelled: [
      async () => {
        const jobId = await newJob(service, account.key, printerId);
        await cancel(service, account.key, jobId, { reason: 'ordered twice' });
        return jobId;
      },
      ['created', 'queued', 'cancelled'],
    ],
    failed: [
      async () => {
        const jobId = await newJob(service, account.key, printerId);
        const [lease] = await agent.lease(1);
        await agent.accept(lease!);
        await agent.report(lease!, 'rejected', { failure_class: 'permanent', failure_code: 'BROKEN_FILE' });
        return jobId;
      },
      ['created', 'queued', 'leased', 'accepted_by_agent', 'failed'],
    ],
    expired: [
      async () => {
        const expires_at = service.fromNow(SECOND);
        const jobId = await newJob(service, account.key, printerId, { expires_at });
        await service.advance(2 * SECOND);
        return jobId;
      },
      ['created', 'queued', 'expired'],
    ],
  };

  it.each(Object.keys(stories))(
    'receives every event of a job that is %s, once, as it was',
    async (ending) => {
      const [happen, words] = stories[ending]!;
      const { told, received } = await story(await happen());
      const types = words.map((word) => `job.${word}`);
      expect(received.map((it) => it.event_type)).toEqual(types);
      expect(received.map((it) => it.event_id)).toEqual(told.map((it) => it.event_id));
      expect(told.map((it) => it.event_type)).toEqual(types);
      const queued = words.map((word) => (word === 'created' ? 'created' : word));
      expect(received.map((it) => it.data.job!.status)).toEqual(queued);
      for (const { account_id, data } of received) {
        expect(account_id).toBe(account.accountId);
        expect(JSON.stringify(data)).not.toContain('Hello, printer');
      }
    },
  );

  it('receives each event of the computer and its printer once', async () => {
    await eventually(
      () => toldOf('printer', printerId),
      (events) => events.length >= 2,
    );
    const typesOf = (name: string, id: string) =>
      toldOf(name, id)
        .sort((a, b) => a.sequence - b.sequence)
        .map((it) => it.event_type);
    expect(typesOf('computer', agent.computerId)).toEqual(['computer.registered', 'computer.online']);
    expect(typesOf('printer', printerId)).toEqual(['printer.detected', 'printer.online']);
  });

  it('rejected nothing and received nothing twice', async () => {
    const { deliveries } = await clerk.list();
    expect(receiver.refused).toEqual([]);
    const ids = receiver.events.map((it) => it.event_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(deliveries.map((it) => it.event_id).sort()).toEqual([...ids].sort());
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({ attempt_count: 1, status: 'delivered' });
  });
});
