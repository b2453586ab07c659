import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PassThrough } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Waiter } from '../async/waiters.js';
import { type PublicEventType, subjectOf } from '../contexts/webhooks/index.js';
import {
  answer,
  type Answer,
  BareAnswer,
  COMMENT,
  countedNotModified,
  EVENT_STREAM,
  notModified,
} from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Success } from '../http/operation.js';
import { onHangUp } from '../http/request.js';
import { Field } from '../http/validation/field.js';
import { integer, type Rule, text } from '../http/validation/rules.js';
import { Clock, elapsed, type Milliseconds } from '../kernel/time.js';
import { gatherMs } from './change-pace.js';
import { type ChangePlace, Changes, type ChangesPart, type ChangesReader } from './changes.js';
import { isCurrent, lookUntil, sharedEnd, waitSeconds } from './polling.js';
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

interface Followed {
  readonly reader: ChangesReader;
  readonly from: ChangePlace;
  /** False once the log was rolled back. */
  readonly isSame: () => boolean;
}

const BETWEEN_COMMENTS: Milliseconds = 15_000;
/** A client that reads nothing for so long is gone. */
const UNREAD_MS: Milliseconds = 60_000;
const STREAMED_TOGETHER = 100;
const IMMUTABLE = { 'cache-control': 'private, immutable' };

/** Answers the changes of an owner as a page, after a wait, or as server-sent events. */
@Injectable()
export class ChangeAnswers {
  constructor(
    private readonly changes: Changes,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ApiError 400, 409 for the cursor, 429 if too many wait; `credentialInvalid` after a wait; 503 if the log was
   * rolled back meanwhile
   */
  async answer(
    request: FastifyRequest,
    { after, limit }: ChangesQuestion,
    reader: ChangesReader,
  ): Promise<Answer | BareAnswer> {
    const { headers, method } = request;
    const isStream = method === 'GET' && takesStream(headers.accept);
    const given = (isStream && (headers['last-event-id'] as string | undefined)) || after;
    const isSame = this.changes.history();
    const { period } = this.changes.cursors;
    const from = await this.placeOf(reader, given);
    if (isStream) return this.stream(request, { reader, from, isSame });
    if (given === 'now') return answer(pageOf({ items: [], next: from, hasMore: false }));
    const wait = waitSeconds(headers['prefer'] as string | undefined);
    const part = wait
      ? await this.waited(request, { reader, from, isSame }, limit, wait)
      : await this.changes.readAll(reader, from, limit);
    if (!isSame()) throw new ApiError('unavailable');
    const applied = wait ? { 'preference-applied': `wait=${wait}` } : undefined;
    // A cursor that has moved over unwanted events is worth an answer: they are not looked at again.
    if (wait && isEmpty(part) && part.next.cursor === from.cursor) {
      this.changes.cursors.keep(reader, part.next, period);
      return notModified(applied);
    }
    return shown(part, limit, headers['if-none-match'], applied);
  }

  private async placeOf(reader: ChangesReader, after: string | undefined): Promise<ChangePlace> {
    if (after === undefined) return this.changes.cursors.beginning(reader);
    return after === 'now' ? this.changes.now(reader) : this.changes.cursors.open(reader, after);
  }

  private async waited(
    request: FastifyRequest,
    { reader, from, isSame }: Followed,
    limit: number,
    seconds: number,
  ): Promise<ChangesPart> {
    const first = await this.gathered(request, reader, from, limit);
    if (!isEmpty(first)) return first;
    const waiter = this.changes.waiter(reader);
    // What comes after the events that the reader does not want.
    let at = first.next;
    const look = async () => {
      const part = await this.gathered(request, reader, at, limit);
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

  /** Reads again while changes come fast. In real time, because it is short. */
  private async gathered(
    { rate, startedAt }: FastifyRequest,
    reader: ChangesReader,
    from: ChangePlace,
    limit: number,
  ): Promise<ChangesPart> {
    const seenAt = performance.now() - Math.max(0, elapsed(from.at, this.clock.now()));
    for (;;) {
      const part = await this.changes.read(reader, from, limit);
      const now = performance.now();
      const ages = { sinceLast: now - seenAt, sinceAsked: now - startedAt };
      const more = part.hasMore ? 0 : gatherMs({ count: part.items.length, ...ages, rate });
      if (more <= 0) return part;
      await sleep(Math.ceil(more));
      if (!(await reader.isStillValid())) throw new ApiError('credentialInvalid');
    }
  }

  private stream(request: FastifyRequest, followed: Followed): BareAnswer {
    const waiter = this.changes.waiter(followed.reader);
    const out = new PassThrough();
    const leave = () => void out.destroy();
    const stopListening = onHangUp(request, leave);
    out.on('error', () => undefined);
    out.once('close', () => {
      stopListening();
      waiter.close();
    });
    const end = () => void out.end();
    this.follow(followed, waiter, out).then(end, end);
    return new BareAnswer(200, out, EVENT_STREAM);
  }

  /** Until the client leaves, its credential is revoked, the log is rolled back or the service stops. */
  private async follow({ reader, from, isSame }: Followed, waiter: Waiter, out: PassThrough) {
    let at = from;
    out.write(COMMENT);
    while (!out.destroyed && !this.changes.isStopped && (await reader.isStillValid())) {
      const part = await this.changes.read(reader, at, STREAMED_TOGETHER);
      if (!isSame()) return;
      const isFree = part.next.cursor === at.cursor || out.write(this.messages(reader, part));
      at = part.next;
      if (!isFree) await this.drained(out);
      if (part.hasMore) await setImmediate();
      if (part.hasMore || (await waiter.wait(this.untilComment())) || out.destroyed) continue;
      out.write(COMMENT);
    }
  }

  /** Streams that wait comment together, so that their credentials are looked up together. */
  private untilComment(): Milliseconds {
    const now = this.clock.monotonic();
    return sharedEnd(now + BETWEEN_COMMENTS) - now;
  }

  /** Without items, the id alone moves the client on. */
  private messages(reader: ChangesReader, { items, next }: ChangesPart): string {
    if (items.length === 0) return `id: ${next.cursor}\n\n`;
    const { cursors } = this.changes;
    const message = ({ event, item }: ChangesPart['items'][number]) =>
      `id: ${cursors.after(reader, event).cursor}\ndata: ${JSON.stringify(item)}\n\n`;
    return items.map(message).join('');
  }

  /** Resolves when the client has read, or is gone. */
  private drained(out: PassThrough): Promise<void> {
    const cancel = this.clock.after(UNREAD_MS, () => void out.destroy());
    return new Promise((resolve) => {
      const go = () => {
        cancel();
        out.off('drain', go).off('close', go);
        resolve();
      };
      out.once('drain', go).once('close', go);
    });
  }
}

const isEmpty = ({ items, hasMore }: ChangesPart) => items.length === 0 && !hasMore;

const takesStream = (accept: string | undefined) =>
  accept?.split(',').some((type) => type.trim().startsWith('text/event-stream')) ?? false;

function pageOf({ items, next, hasMore }: ChangesPart): object {
  return { items: items.map(({ item }) => item), next_cursor: next.cursor, has_more: hasMore };
}

/** A full page shows the same for ever. */
function shown(
  part: ChangesPart,
  limit: number,
  ifNoneMatch: string | undefined,
  applied: Record<string, string> | undefined,
): Answer | BareAnswer {
  const page = pageOf(part);
  if (part.items.length < limit) return answer(page, { headers: { ...applied } });
  const etag = strongValidator(JSON.stringify(page));
  if (isCurrent(ifNoneMatch, etag)) return countedNotModified({ ...IMMUTABLE, ...applied, etag });
  return answer(page, { headers: { ...IMMUTABLE, ...applied, etag } });
}
