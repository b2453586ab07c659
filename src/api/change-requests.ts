import { type PublicEventType, subjectOf } from '../contexts/webhooks/index.js';
import type { Success } from '../http/operation.js';
import { Field } from '../http/validation/field.js';
import { integer, type Rule, text } from '../http/validation/rules.js';
import { CHANGE_TYPES } from './resources/event-catalogue.js';

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
  const scopeOf = (type: PublicEventType) => scopes[subjectOf(type) as keyof ChangeScopes];
  const types = new Set((event_types ?? CHANGE_TYPES).filter((type) => held.has(scopeOf(type))));
  return (type: PublicEventType) => types.has(type);
}

/** Headers and answers of every operation that lists changes. */
export const CHANGES = {
  description:
    'Public events in the order of the store, each once and without a gap for a reader that goes on with ' +
    '`next_cursor`; a cursor is valid for ever. While `has_more` is true, ask again at once. A page with `limit` items ' +
    'never changes.\n\n' +
    'Where the page would be empty, `Prefer: wait=N` waits for the next event, and a 304 at the end of the wait is not ' +
    'counted by the rate limit. With `Accept: text/event-stream` the items come as server-sent events, whose `id` is ' +
    'the cursor after the item.',
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
