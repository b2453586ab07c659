import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { ComputerCommand } from '../../contexts/devices/domain/computer.commands.js';
import { computerDecider } from '../../contexts/devices/domain/computer.decider.js';
import type { ComputerEvent } from '../../contexts/devices/domain/computer.events.js';
import { noComputer } from '../../contexts/devices/domain/computer.state.js';
import {
  PUBLIC_EVENT_TYPES,
  publicTypeOf,
  PUBLISHED_EVENTS,
  type PublicEventType,
} from '../../contexts/webhooks/index.js';
import type { DomainEvent } from '../../kernel/recorded-event.js';
import * as a from '../../../test/kit/examples/devices.js';
import * as the from '../../../test/kit/examples/jobs.js';
import * as hook from '../../../test/kit/examples/webhooks.js';
import { metadata, recorded } from '../../../test/kit/recorded.js';
import { EVENT_CATALOGUE, type EventBody } from './event-catalogue.js';
import { ProjectedPayloads } from './projected-payloads.js';
import { reportRollback, TestEventStore } from '../../../test/kit/stores.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const schemaOf = (type: PublicEventType) => EVENT_CATALOGUE.find((it) => it.event_type === type)!.schema;

/** The schema with every object closed, so that undeclared fields fail. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return 'properties' in parts ? { ...parts, additionalProperties: false } : parts;
}
function expectValid(type: PublicEventType, payload: unknown): void {
  const validate = ajv.compile(closed(schemaOf(type)) as object);
  expect([validate(payload), validate.errors]).toEqual([true, null]);
}

const stories: Record<string, DomainEvent[]> = {
  'job-printed': [...the.done],
  'job-given-back': [...the.withAgent, the.lapsed(), the.leased(2), the.released(2), the.leased(3)],
  'job-retried': [...the.failedOnce, the.requeued()],
  'job-lapsed-out': [...the.withAgent, the.lapsed(1, 5), the.failedForGood()],
  'job-in-review': [...the.inReview, the.completed(1, { late: true })],
  'job-cancelled': [...the.withAgent, the.invalidated('cancelled'), the.cancelled('twice'), the.purged],
  'job-expired': [...the.waiting, the.expired()],
  'computer-one': [
    a.registered,
    a.sessionStarted(),
    a.cameOnline,
    a.detected(1),
    a.printerOnline('offline', 1),
    a.updated({ reportedOnline: false }),
    a.updated({ alias: 'Labels' }),
    a.detected(2),
    a.printerDisabled('online', 1),
    a.disabled,
    a.enabled('offline'),
    a.wentOffline,
    a.printerOffline('disabled', 1),
    a.printerRemoved('offline', 1),
    a.revoked,
    a.reenrolled(),
  ],
  'webhooks-account': [hook.created(), hook.tested(), hook.updated({ description: 'x' }), hook.tested('2')],
};

/** The next events of the computer. */
function decided(past: readonly ComputerEvent[], command: ComputerCommand): readonly ComputerEvent[] {
  const decision = computerDecider.decide(past.reduce(computerDecider.evolve, noComputer), command);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  return decision.events;
}

async function storeOf(told: Record<string, DomainEvent[]>) {
  const store = new TestEventStore();
  for (const [stream, events] of Object.entries(told)) {
    const stored = recorded(stream, ...events).map(({ id, type, data }) => ({
      id: `${stream}:${id}`,
      type,
      data,
      metadata,
    }));
    await store.append({ stream, expected: 'no_stream', events: stored });
  }
  return store;
}

describe('the catalogue of public events', () => {
  it('holds each type once, in the order of the contract', () => {
    expect(EVENT_CATALOGUE.map(({ event_type }) => event_type)).toEqual(PUBLIC_EVENT_TYPES);
    expect(PUBLIC_EVENT_TYPES).toHaveLength(23);
  });

  it.each(EVENT_CATALOGUE.map((entry) => [entry.event_type, entry] as const))(
    'describes the resource of %s as projected',
    (type, entry) => {
      expectValid(type, entry.example);
      expect(entry.example.event_type).toBe(type);
      expect(entry.description).toMatch(/^[A-Z].{10,}\.$/);
      const { job, computer, printer } = entry.example.data as Record<string, { status: string } | undefined>;
      const word = type.split('.')[1]!;
      const shown = (job ?? computer ?? printer)?.status;
      if (!['registered', 'detected', 'updated', 'test'].includes(word)) expect(shown).toBe(word);
    },
  );
});

describe('publishing stored events', () => {
  /** Public events of a stream: revision, type and payload. */
  async function toldOf(stream: string, events: DomainEvent[], queries?: ProjectedPayloads) {
    const store = await storeOf({ [stream]: events });
    const asked = queries ?? new ProjectedPayloads(store);
    const told: { revision: number; type: PublicEventType; payload: EventBody }[] = [];
    for (const event of await store.load(stream)) {
      const made = publicTypeOf(event) && (await asked.publicEventAt(event));
      if (!made) continue;
      told.push({
        revision: event.revision,
        type: made.eventType,
        payload: JSON.parse(made.body.toString()),
      });
    }
    return told;
  }
  const types = async (stream: string) => (await toldOf(stream, stories[stream]!)).map(({ type }) => type);

  it("publishes a printed job's events in order", async () => {
    expect(await types('job-printed')).toEqual([
      'job.created',
      'job.queued',
      'job.leased',
      'job.accepted_by_agent',
      'job.sent_to_spooler',
      'job.spooler_completed',
    ]);
  });

  it('publishes each return to the queue, and no event without a change of status', async () => {
    const returned = await types('job-given-back');
    expect(returned.slice(2)).toEqual(['job.leased', 'job.queued', 'job.leased', 'job.queued', 'job.leased']);
    expect((await types('job-retried')).slice(4)).toEqual(['job.failed', 'job.queued']);
    expect((await types('job-lapsed-out')).slice(3)).toEqual(['job.failed']);
    expect((await types('job-in-review')).slice(5)).toEqual(['job.manual_review', 'job.spooler_completed']);
    expect((await types('job-cancelled')).slice(3)).toEqual(['job.cancelled']);
    expect((await types('job-expired')).slice(2)).toEqual(['job.expired']);
  });

  it('publishes changes of computers and printers, and webhook tests', async () => {
    expect(await types('computer-one')).toEqual([
      'computer.registered',
      'computer.online',
      'printer.detected',
      'printer.online',
      'printer.updated',
      'printer.detected',
      'printer.disabled',
      'computer.disabled',
      'computer.offline',
      'printer.offline',
      'printer.removed',
      'computer.revoked',
      'computer.pending',
    ]);
    expect(await types('webhooks-account')).toEqual(['webhook.test', 'webhook.test']);
  });

  it.each(Object.entries(stories))(
    'sends %s as its schema says, with the status of the job at the event',
    async (stream, events) => {
      for (const { revision, type, payload } of await toldOf(stream, events)) {
        const uuids = { event_id: hook.EVENT_ID };
        expectValid(type, { ...payload, ...uuids });
        expect(payload).toMatchObject({ event_type: type, sequence: revision, account_id: the.ACCOUNT_ID });
        const job = payload.data.job as { status: string } | undefined;
        if (job) expect(`job.${job.status}`).toBe(type);
        expect(JSON.stringify(payload)).not.toMatch(/last_seen_at|credential|"box"/);
      }
    },
  );

  it('shows a printer that is disabled and enabled again as the API does', async () => {
    const online = [
      a.registered,
      a.sessionStarted(),
      a.cameOnline,
      a.detected(1),
      a.printerOnline('offline', 1),
    ];
    const disabling = decided(online, a.updatePrinter({ enabled: false }));
    const enabling = decided([...online, ...disabling], a.updatePrinter({ enabled: true }));
    const told = await toldOf('computer-two', [...online, ...disabling, ...enabling]);
    const shown = told.slice(4).map(({ type, payload }) => {
      const { enabled, status } = payload.data.printer as { enabled: boolean; status: string };
      return `${type}: ${enabled} ${status}`;
    });
    expect(shown).toEqual([
      'printer.updated: false disabled',
      'printer.disabled: false disabled',
      'printer.online: true online',
      'printer.updated: true online',
    ]);
  });

  it('publishes one event for each change caused by enabling a computer', async () => {
    const silent = [a.registered, a.sessionStarted(), a.cameOnline, a.wentOffline, a.disabled];
    const statuses = async (past: ComputerEvent[], present: boolean) => {
      const told = await toldOf('computer-two', [...past, ...decided(past, a.enable(present))]);
      const shown = ({ payload }: (typeof told)[0]) => (payload.data.computer as { status: string }).status;
      return told.filter(({ revision }) => revision >= past.length).map((it) => [it.type, shown(it)]);
    };
    expect(await statuses(silent, false)).toEqual([['computer.offline', 'offline']]);
    expect(await statuses(silent, true)).toEqual([['computer.online', 'online']]);
    expect(await statuses([a.registered, a.disabled], true)).toEqual([['computer.pending', 'pending']]);
  });

  it('renders the enabling events of stored deliveries', async () => {
    const past = [
      a.registered,
      a.sessionStarted(),
      a.cameOnline,
      a.disabled,
      a.enabled('offline'),
      a.cameOnline,
    ];
    const store = await storeOf({ 'computer-two': past });
    const sent = await new ProjectedPayloads(store).publicEventAt({ stream: 'computer-two', revision: 4 });
    const data = { computer: { status: 'offline' } };
    expect(JSON.parse(sent!.body.toString())).toMatchObject({ event_type: 'computer.offline', data });
  });

  it('shows a resource as it was at the event, whatever happened later', async () => {
    const [, , , online, updated] = (await toldOf('computer-one', stories['computer-one']!)).slice(0, 5);
    expect(online!.payload.data.printer).toMatchObject({ status: 'online', name: 'Queue 1' });
    expect(updated!.payload.data.printer).toMatchObject({ status: 'online', name: 'Labels' });
    const tests = await toldOf('webhooks-account', stories['webhooks-account']!);
    expect(tests.map(({ payload }) => (payload.data.webhook as { description: string }).description)).toEqual(
      ['orders', 'x'],
    );
  });

  it('renders the same bytes in any order and on every repeat', async () => {
    const store = await storeOf(stories);
    const log = (await store.readAll({ max: 1000 })).filter((event) => publicTypeOf(event));
    const expected = new Map<string, string>();
    for (const event of log) {
      const alone = await new ProjectedPayloads(store).publicEventAt(event);
      expected.set(event.id, alone!.body.toString());
    }
    const orders = fc.array(fc.constantFrom(...log), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(orders, async (asked) => {
        const queries = new ProjectedPayloads(store);
        for (const event of asked) {
          expect(await queries.accountOf(event)).toBe(the.ACCOUNT_ID);
          expect((await queries.publicEventAt(event))!.body.toString()).toBe(expected.get(event.id));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('reads no event again that it keeps, until the log was rolled back', async () => {
    const store = await storeOf({ 'job-x': [the.created] });
    const [event] = await store.load('job-x');
    const queries = new ProjectedPayloads(store);
    queries.keep(event!);
    store.load = () => Promise.reject(new Error('read again'));
    expect((await queries.publicEventAt(event!))?.eventId).toBe(event!.id);
    reportRollback(store);
    await expect(queries.publicEventAt(event!)).rejects.toThrow('read again');
  });

  it('publishes no other stored event', async () => {
    expect(publicTypeOf({ type: 'AccountOpened', data: {} })).toBeUndefined();
    expect(publicTypeOf({ type: 'constructor', data: {} })).toBeUndefined();
    const store = await storeOf({ 'job-x': [the.created, the.purged] });
    expect(
      await new ProjectedPayloads(store).publicEventAt({ stream: 'job-x', revision: 1 }),
    ).toBeUndefined();
    expect(
      await new ProjectedPayloads(store).publicEventAt({ stream: 'job-x', revision: 9 }),
    ).toBeUndefined();
    expect(PUBLISHED_EVENTS).toContain('JobCreated');
    expect(PUBLISHED_EVENTS).not.toContain('ContentPurged');
  });
});
