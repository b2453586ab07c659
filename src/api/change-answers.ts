import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PublicEventType, subjectOf } from '../contexts/webhooks/index.js';
import {
  answer,
  type Answer,
  type BareAnswer,
  countedNotModified,
  notModified,
  SerializedData,
} from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Success } from '../http/operation.js';
import { ownerOf } from '../http/request.js';
import { Field } from '../http/validation/field.js';
import { integer, type Rule, text } from '../http/validation/rules.js';
import { Clock, elapsed } from '../kernel/time.js';
import type { ChangePlace, ChangesPart } from './change-cursors.js';
import { gatherMs } from './change-pace.js';
import { ChangeStreams, type Followed } from './change-streams.js';
import { Changes, type ChangesReader, EXAMINED_TOGETHER, type WantedChanges } from './changes.js';
import { type PageTurn, PageTurns } from './page-turns.js';
import { isCurrent, lookUntil, waitSeconds } from './polling.js';
import { CHANGE_TYPES } from './resources/event-catalogue.js';
import { strongValidator } from './validators.js';

const isChangeType = (name: unknown) => (CHANGE_TYPES as readonly unknown[]).includes(name);

const NAMES = `(${CHANGE_TYPES.join('|').replaceAll('.', '\\.')})`;

const typeNames: Rule = {
  schema: { type: 'string', maxLength: 1_000, pattern: `^${NAMES}(,${NAMES})*$` },
  message: `must be one or more of ${CHANGE_TYPES.join(', ')}, separated by commas`,
  accepts: (value) => Array.isArray(value) && value.every(isChangeType),
  fromText: (names) => names.split(','),
};

const AFTER = {
  max: 256,
  pattern: /^[A-Za-z0-9_-]+$/,
  message: 'must be now or a next_cursor of these changes',
};

export class ChangesQuery {
  @Field(integer(1, 1_000), { optional: true, default: 100 }) limit: number = 100;
  @Field(text(AFTER), {
    optional: true,
    description: 'The next_cursor of an earlier answer, or `now`; absent: from the first event',
  })
  after?: string;
  @Field(typeNames, { optional: true, description: 'Names separated by commas; absent: all' })
  event_types?: readonly PublicEventType[];
}

/** The scope that shows the changes of each kind of resource. */
export type ChangeScopes = Readonly<Record<'job' | 'computer' | 'printer', string>>;

/** Whether a caller with these scopes asks for events of a type. */
export function wanted({ event_types }: ChangesQuery, held: ReadonlySet<string>, scopes: ChangeScopes) {
  // Waiting requests keep this function: a set for each would cost memory.
  return (type: PublicEventType) =>
    (event_types ?? CHANGE_TYPES).includes(type) && held.has(scopes[subjectOf(type) as keyof ChangeScopes]);
}

/** Headers and answers of every operation that lists changes. */
export const CHANGES = {
  description:
    'Public events in the order of the store, each once and without a gap for a reader that goes on with ' +
    '`next_cursor`; a cursor is valid for ever. While `has_more` is true, ask again at once. A page with `limit` items ' +
    'never changes.\n\n' +
    'Where the page would be empty, `Prefer: wait=N` waits for the next event, and a 304 at the end of the wait is not ' +
    'counted by the rate limit. Events that come fast are gathered, so that a reader stays within the limit. With ' +
    '`Accept: text/event-stream` the items come as server-sent events, whose `id` is the cursor after the item.',
  headers: {
    Prefer: '`wait=N` (RFC 7240), N from 1 to 25 seconds, of an empty page. More than 25 is cut to 25.',
    'If-None-Match': 'The ETag of a full page: the answer is 304.',
    'Last-Event-ID': 'Of a stream that goes on: its last id, instead of `after`.',
  },
  page: {
    ETag: 'Strong validator of a full page',
    'Preference-Applied': 'wait=N, where a wait was granted',
  },
  unchanged: {
    status: 304,
    description: 'Nothing has happened during the wait, or the full page with this ETag.',
    headers: { 'Preference-Applied': 'wait=N, where a wait was granted' },
  },
} as const satisfies { readonly unchanged: Success } & Record<string, unknown>;

export interface ChangesQuestion {
  readonly limit: number;
  /** A cursor, or `now`; absent: from the first event. */
  readonly after?: string;
}

/** A request that waits for a page. */
interface Asked extends Followed {
  readonly request: FastifyRequest;
  readonly limit: number;
  readonly turn: PageTurn;
}

const IMMUTABLE = { 'cache-control': 'private, immutable' };

/** Answers the changes of an owner as a page, after a wait, or as server-sent events. */
@Injectable()
export class ChangeAnswers {
  private readonly turns: PageTurns;
  /** Requests that share a part answer the same bytes. A part belongs to one limit. */
  private readonly pages = new WeakMap<ChangesPart, Page>();

  constructor(
    private readonly changes: Changes,
    private readonly streams: ChangeStreams,
    private readonly clock: Clock,
  ) {
    this.turns = new PageTurns(clock);
  }

  /**
   * @throws ApiError 400, 409 for the cursor, 429 if too many wait; `credentialInvalid` after a wait; 503 if the log was
   * rolled back meanwhile
   */
  async answer(
    request: FastifyRequest,
    { after, limit }: ChangesQuestion,
    wanted: WantedChanges,
  ): Promise<Answer | BareAnswer> {
    const { headers, method } = request;
    const reader = readerOf(request, wanted);
    const isStream = method === 'GET' && takesStream(headers.accept);
    const given = (isStream && (headers['last-event-id'] as string | undefined)) || after;
    const isSame = this.changes.history();
    const from = await this.placeOf(reader, given);
    if (isStream) return this.streams.open(request, { reader, from, isSame });
    if (given === 'now') return answer(emptyPage(from));
    const turn = this.turns.of(request);
    try {
      return await this.page({ request, limit, reader, from, isSame, turn });
    } catch (error) {
      turn.end();
      throw error;
    }
  }

  private async placeOf(reader: ChangesReader, after: string | undefined): Promise<ChangePlace> {
    if (after === undefined) return this.changes.cursors.beginning(reader);
    return after === 'now' ? this.changes.now(reader) : this.changes.cursors.open(reader, after);
  }

  private async page(asked: Asked): Promise<Answer | BareAnswer> {
    const { request, reader, from, isSame } = asked;
    const { period } = this.changes.cursors;
    const wait = waitSeconds(request.headers['prefer'] as string | undefined);
    const part = wait ? await this.waited(asked, wait) : await this.whole(asked);
    if (!isSame()) throw new ApiError('unavailable');
    const applied = wait ? { 'preference-applied': `wait=${wait}` } : undefined;
    // A cursor that has moved over unwanted events is worth an answer: they are not looked at again.
    if (wait && isEmpty(part) && part.next.cursor === from.cursor) {
      this.changes.cursors.keep(reader, part.next, period);
      return notModified(applied);
    }
    const show = () => this.shown(asked, part, applied);
    // A long page takes as long as a read.
    return part.items.length > EXAMINED_TOGETHER ? this.changes.inTurn(reader, show) : show();
  }

  private shown(
    { request, limit, turn, reader, from }: Asked,
    part: ChangesPart,
    applied: Record<string, string> | undefined,
  ) {
    // Of a closed connection. Its answers would pile up in memory.
    if (reader.hasLeft()) {
      turn.end();
      return answer(emptyPage(from));
    }
    const page = this.pages.get(part) ?? pageOf(part, limit);
    this.pages.set(part, page);
    const { data, etag } = page;
    const headers = { ...(etag && { ...IMMUTABLE, etag }), ...applied };
    if (!etag || !isCurrent(request.headers['if-none-match'], etag))
      return answer(data, { headers, sent: turn.send(data.json.length) });
    turn.end();
    return countedNotModified(headers);
  }

  private async whole({ reader, from, limit, turn }: Asked): Promise<ChangesPart> {
    await turn.begin();
    return this.changes.readAll(reader, from, limit);
  }

  private async waited(asked: Asked, seconds: number): Promise<ChangesPart> {
    const { request, reader, from, isSame } = asked;
    const first = await this.gathered(asked, from);
    if (!isEmpty(first)) return first;
    const waiter = this.changes.waiter(reader);
    // What comes after the events that the reader does not want.
    let at = first.next;
    const look = async () => {
      const part = await this.gathered(asked, at);
      at = part.next;
      return part;
    };
    const wait = { waiter, request, clock: this.clock, seconds };
    const isEnough = (one: ChangesPart) => !isEmpty(one) || !isSame();
    // An event since the first look has not woken the waiter.
    const seen = await lookUntil(wait, look, isEnough, this.changes.isEndOf(at) ? first : undefined);
    if (!(await reader.isStillValid())) throw new ApiError('credentialInvalid');
    return seen;
  }

  /** Reads again while changes come fast. In real time, because it is short. Keeps the turn of what is not empty. */
  private async gathered({ request, reader, limit, turn }: Asked, from: ChangePlace): Promise<ChangesPart> {
    const { rate, startedAt } = request;
    const seenAt = performance.now() - Math.max(0, elapsed(from.at, this.clock.now()));
    for (;;) {
      await turn.begin();
      const part = await this.changes.read(reader, from, limit);
      const now = performance.now();
      const ages = { sinceLast: now - seenAt, sinceAsked: now - startedAt };
      const more = part.hasMore ? 0 : gatherMs({ count: part.items.length, ...ages, rate });
      if (more > 0 || isEmpty(part)) turn.end();
      if (more <= 0) return part;
      await sleep(Math.ceil(more));
      if (!(await reader.isStillValid())) throw new ApiError('credentialInvalid');
    }
  }
}

/** Only a closed connection counts: requests are answered also when the client has closed its half. */
function readerOf(request: FastifyRequest, wanted: WantedChanges): ChangesReader {
  const { socket } = request.raw;
  const payer = ownerOf(request);
  return {
    ...wanted,
    payer,
    holder: request.principal?.partnerId ?? payer,
    hasLeft: () => socket.destroyed,
  };
}

const isEmpty = ({ items, hasMore }: ChangesPart) => items.length === 0 && !hasMore;

const takesStream = (accept: string | undefined) =>
  accept?.split(',').some((type) => type.trim().startsWith('text/event-stream')) ?? false;

const emptyPage = ({ cursor }: ChangePlace) => ({ items: [], next_cursor: cursor, has_more: false });

interface Page {
  readonly data: SerializedData;
  /** Of a full page, which shows the same for ever. */
  readonly etag?: string;
}

function pageOf({ items, next, hasMore }: ChangesPart, limit: number): Page {
  const end = JSON.stringify({ next_cursor: next.cursor, has_more: hasMore });
  const json = Buffer.from(`{"items":[${items.map((item) => item.json).join()}],${end.slice(1)}`);
  const data = new SerializedData(json);
  return items.length < limit ? { data } : { data, etag: strongValidator(json) };
}
