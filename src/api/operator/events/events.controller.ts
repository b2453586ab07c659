import { Controller, Inject, Injectable, Param, Query } from '@nestjs/common';
import { accounts, apiKeys, partnerCredentials, partners } from '../../../contexts/accounts/index.js';
import { alertsOfMember } from '../../../contexts/alerts/index.js';
import { claims } from '../../../contexts/claims/index.js';
import { computers, enrollments } from '../../../contexts/devices/index.js';
import { JOB } from '../../../contexts/jobs/index.js';
import { accesses, members, panelLinks, sessions } from '../../../contexts/members/index.js';
import { operatorTokens } from '../../../contexts/operators/index.js';
import { restores, rollbackAlarms } from '../../../contexts/recovery/index.js';
import { DELIVERY, endpoints } from '../../../contexts/webhooks/index.js';
import { EventStore, ViewMaintenance } from '../../../event-sourcing/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { boolean, count, integer, objects, shaped, text, uuid } from '../../../http/validation/rules.js';
import { POSITION_DIGITS, type Origin, type RecordedEvent } from '../../../kernel/recorded-event.js';
import { AccessNotes } from '../../access-notes.js';
import { exportedHash, storedEvent, StoredEvent } from '../../resources/stored-event.resource.js';
import { OperatorOperation } from '../operator.surface.js';

/** An aggregate of any events. */
interface Folded {
  readonly category: string;
  readonly decider: { readonly initialState: object; evolve(state: never, event: never): object };
}

const AGGREGATES: readonly Folded[] = [
  ...[accounts, apiKeys, partners, partnerCredentials, claims, computers, enrollments],
  ...[accesses, members, panelLinks, sessions, operatorTokens, restores, rollbackAlarms, endpoints],
  alertsOfMember,
];

/** Folds a stream with the decider that decided it. */
@Injectable()
export class StreamStates {
  private readonly byCategory: ReadonlyMap<string, Folded>;

  constructor(@Inject(JOB) jobs: Folded, @Inject(DELIVERY) deliveries: Folded) {
    this.byCategory = new Map(
      [...AGGREGATES, jobs, deliveries].map((aggregate) => [aggregate.category, aggregate]),
    );
  }

  /** The state after each event; undefined without a decider. @param events all of one stream, oldest first */
  after(events: readonly RecordedEvent[]): readonly object[] | undefined {
    const [first] = events;
    if (!first) return [];
    const category = first.stream.slice(0, first.stream.indexOf('-'));
    const aggregate = this.byCategory.get(category);
    if (!aggregate) return undefined;
    const { decider } = aggregate;
    let state: object = decider.initialState;
    return events.map((event) => (state = decider.evolve(state as never, event as never)));
  }
}

export class EventsQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(text({ max: 20, pattern: /^\d{1,20}$/, message: 'must be a position' }), optional) after?: string;
}

export class StoredEvents {
  @Field(objects(() => StoredEvent, 1_000), { description: 'Oldest first' })
  items!: readonly StoredEvent[];
  @Field(boolean()) has_more!: boolean;

  static readonly example: StoredEvents = { items: [StoredEvent.example], has_more: false };
}

/** The state of a computer with all its printers has some hundred KB. */
const PAGE_BYTES = 4_194_304;

export class StatesQuery extends EventsQuery {
  @Field(integer(1, 200), optional) override limit: number = 100;
}

class StreamState {
  @Field(uuid()) event_id!: string;
  @Field(count) revision!: number;
  @Field(text({ max: 20 })) position!: string;
  @Field(shaped({ type: 'object' }), { description: 'As the service decides on it' }) state!: object;
}

export class StreamStatesPage {
  @Field(objects(() => StreamState, 200), { description: 'Oldest first' })
  items!: readonly StreamState[];
  @Field(boolean()) has_more!: boolean;

  static readonly example: StreamStatesPage = {
    items: [
      {
        event_id: StoredEvent.example.event_id,
        revision: 1,
        position: StoredEvent.example.position,
        state: { status: 'cancelled' },
      },
    ],
    has_more: false,
  };
}

const digest = text({ max: 128 });

class ViewVerified {
  @Field(text({ max: 60 })) name!: string;
  @Field(boolean()) equal!: boolean;
  @Field(count) documents!: number;
  @Field(digest) live_digest!: string;
  @Field(digest) replay_digest!: string;
}

export class ViewVerifications {
  @Field(objects(() => ViewVerified, 100))
  items!: readonly ViewVerified[];

  static readonly example: ViewVerifications = {
    items: [{ name: 'job-view', equal: true, documents: 3, live_digest: 'ab12', replay_digest: 'ab12' }],
  };
}

/** For auditors: shows stored events unchanged, and compares the read models with a replay. */
@Controller()
export class OperatorEventsController {
  constructor(
    private readonly events: EventStore,
    private readonly maintenance: ViewMaintenance,
    private readonly notes: AccessNotes,
    private readonly states: StreamStates,
  ) {}

  @OperatorOperation({
    id: 'readStream',
    route: 'GET /v1/operator/streams/:name',
    summary: 'List the stored events of one stream',
    tag: 'Events',
    type: StoredEvents,
    query: EventsQuery,
  })
  async stream(
    @Param('name') name: string,
    @Query() { after, limit }: EventsQuery,
    @Caller() { by }: Calling,
  ) {
    const rest = (await this.opened(name, by)).filter(isAfter(after));
    return { items: rest.slice(0, limit).map(storedEvent), has_more: rest.length > limit };
  }

  @OperatorOperation({
    id: 'readStreamStates',
    route: 'GET /v1/operator/streams/:name/states',
    summary: 'List the states after each event of one stream',
    description:
      'Folded from the stored events as the service folds them before it decides. A page ends before 4 MiB, but has one state at least.',
    tag: 'Events',
    type: StreamStatesPage,
    limit: { perMinute: 60 },
    query: StatesQuery,
  })
  async statesOf(
    @Param('name') name: string,
    @Query() { after, limit }: StatesQuery,
    @Caller() { by }: Calling,
  ) {
    const events = await this.opened(name, by);
    const states = orNotFound(this.states.after(events), 'STREAM_NOT_FOUND');
    const items = events.map(({ id, revision, position }, n) => ({
      ...{ event_id: id, revision, position, state: states[n]! },
    }));
    const rest = items.filter(isAfter(after));
    const page = fitting(rest.slice(0, limit));
    return { items: page, has_more: rest.length > page.length };
  }

  @OperatorOperation({
    id: 'readEvents',
    route: 'GET /v1/operator/events',
    summary: 'All stored events in order',
    query: EventsQuery,
  })
  async all(@Query() { after, limit }: EventsQuery) {
    const events = await this.events.readAll({
      after: after?.padStart(POSITION_DIGITS, '0'),
      max: limit + 1,
    });
    const items = events
      .slice(0, limit)
      .map((event) => ({ ...storedEvent(event), body_hash: exportedHash(event) }));
    return { items, has_more: events.length > limit };
  }

  @OperatorOperation({
    id: 'listViews',
    route: 'GET /v1/operator/views',
    summary: 'The read models and how far each is',
  })
  async views() {
    return { items: await this.maintenance.list() };
  }

  @OperatorOperation({
    id: 'rebuildView',
    route: 'POST /v1/operator/views/:name/rebuild',
    summary: 'Build a read model anew from the events',
  })
  async rebuild(@Param('name') name: string) {
    const known = await this.maintenance.list();
    if (!known.some((view) => view.name === name)) throw new ApiError('VIEW_NOT_FOUND');
    return await this.maintenance.rebuild(name);
  }

  @OperatorOperation({
    id: 'verifyViews',
    route: 'POST /v1/operator/views/verify',
    summary: 'Replay all events and compare every read model',
    tag: 'Events',
    type: ViewVerifications,
  })
  async verify() {
    return { items: await this.maintenance.verify() };
  }

  /** All events of a stream; its account sees in the audit that they were read. */
  private async opened(name: string, by: Origin): Promise<readonly RecordedEvent[]> {
    const all = await this.events.load(name);
    if (all.length === 0) throw new ApiError('STREAM_NOT_FOUND');
    const read = { type: 'OperatorReadStream', data: { stream: name } } as const;
    await this.notes.operatorReads(accountOf(all), read, by);
    return all;
  }
}

function isAfter(after: string | undefined) {
  const start = after?.padStart(POSITION_DIGITS, '0') ?? '';
  return ({ position }: { readonly position: string }) => position > start;
}

function fitting<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += JSON.stringify(item).length) > PAGE_BYTES);
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}

/** The account that the events of a stream name; undefined if they concern none. */
function accountOf(events: readonly RecordedEvent[]): string | undefined {
  for (const { data, metadata } of events) {
    const { accountId = metadata.accountId } = data as { readonly accountId?: string };
    if (accountId !== undefined) return accountId;
  }
  return undefined;
}
