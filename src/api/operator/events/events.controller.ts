import { Controller, Param, Query } from '@nestjs/common';
import { EventStore, ViewMaintenance } from '../../../event-sourcing/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { boolean, integer, objects, text } from '../../../http/validation/rules.js';
import type { Origin, RecordedEvent } from '../../../kernel/recorded-event.js';
import { AccessNotes } from '../../access-notes.js';
import { storedEvent, StoredEvent } from '../../resources/stored-event.resource.js';
import { OperatorOperation } from '../operator.surface.js';

const POSITION_DIGITS = 20;
const STREAM = { notFound: 'STREAM_NOT_FOUND', pattern: /^[A-Za-z]{1,40}-[0-9a-fA-F-]{1,80}$/ } as const;
const VIEW = { notFound: 'VIEW_NOT_FOUND', pattern: /^[a-z-]{1,60}$/ } as const;

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

const digest = text({ max: 128 });

class ViewVerified {
  @Field(text({ max: 60 })) name!: string;
  @Field(boolean()) equal!: boolean;
  @Field(integer(0, Number.MAX_SAFE_INTEGER)) documents!: number;
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
  ) {}

  @OperatorOperation({
    id: 'readStream',
    route: 'GET /v1/operator/streams/:name',
    summary: 'List the stored events of one stream',
    tag: 'Events',
    type: StoredEvents,
    params: { name: STREAM },
    query: EventsQuery,
    errors: ['STREAM_NOT_FOUND'],
  })
  async stream(
    @Param('name') name: string,
    @Query() { after, limit }: EventsQuery,
    @RequestOrigin() by: Origin,
  ) {
    const all = await this.events.load(name);
    if (all.length === 0) throw new ApiError('STREAM_NOT_FOUND');
    const read = { type: 'OperatorReadStream', data: { stream: name } } as const;
    await this.notes.operatorReads(accountOf(all), read, by);
    const start = after?.padStart(POSITION_DIGITS, '0');
    const rest = start === undefined ? all : all.filter((event) => event.position > start);
    return { items: rest.slice(0, limit).map(storedEvent), has_more: rest.length > limit };
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
    return { items: events.slice(0, limit).map(storedEvent), has_more: events.length > limit };
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
    params: { name: VIEW },
    errors: ['VIEW_NOT_FOUND'],
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
}

/** The account that the events of a stream name; undefined if they concern none. */
function accountOf(events: readonly RecordedEvent[]): string | undefined {
  for (const { data, metadata } of events) {
    const { accountId = metadata.accountId } = data as { readonly accountId?: string };
    if (accountId !== undefined) return accountId;
  }
  return undefined;
}
