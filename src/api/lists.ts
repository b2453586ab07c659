import { Injectable } from '@nestjs/common';
import type { Found, Keyset } from '../event-sourcing/index.js';
import type { Answer, BareAnswer } from '../http/answer.js';
import type { Principal } from '../http/authentication.js';
import { Cursors, INVALID_CURSOR, type CursorScope } from '../http/cursors.js';
import { ApiError } from '../http/errors/api-error.js';
import { Field } from '../http/validation/field.js';
import { integer, text } from '../http/validation/rules.js';
import type { CreationPosition } from '../kernel/recorded-event.js';
import { unlessCurrent } from './polling.js';
import { Validators } from './validators.js';

export const CURSOR = {
  max: 256,
  pattern: /^[A-Za-z0-9_-]+$/,
  message: INVALID_CURSOR,
};

/** Parameters of every list with cursors (docs/partner-api.md); each list has its own default for `limit`. */
export abstract class CursorQuery {
  abstract limit: number;
  @Field(text(CURSOR), { optional: true, description: 'next_cursor of the page before' }) cursor?: string;
}

interface CursorPage<D> {
  readonly documents: readonly D[];
  readonly has_more: boolean;
  /** null on the last page. */
  readonly next_cursor: string | null;
}

/** One filtered list of one account, from the start of a page; `limit` is its size. */
interface CursorList extends Keyset {
  /** Asks for one document more, which shows whether there is a next page. */
  read<D>(find: (keyset: Keyset) => Promise<Found<D>>): Promise<CursorPage<D>>;
  /** Of a query that knows where its next page begins. */
  follow<D>(find: (keyset: Keyset) => Promise<FoundPart<D>>): Promise<CursorPage<D>>;
}

export interface FoundPart<D> {
  readonly documents: readonly D[];
  /** Start of the next page; absent on the last. */
  readonly next?: CreationPosition;
}

/** Paging of every Integration list. */
export class ListQuery {
  @Field(integer(1, 100), { optional: true, default: 25 }) limit: number = 25;
  @Field(integer(0, 100_000), { optional: true, default: 0 }) offset: number = 0;
}

export function page<T>(items: readonly T[], total: number, { limit, offset }: ListQuery) {
  return { items, count: items.length, total, limit, offset };
}

/** Keyset pagination, newest first: documents added or changed meanwhile are neither repeated nor skipped. */
@Injectable()
export class CursorLists {
  constructor(
    private readonly cursors: Cursors,
    private readonly validators: Validators,
  ) {}

  /** @throws `invalid` for a cursor of another partner, account, list or filter */
  open(
    list: string,
    { partnerId: partner }: Principal,
    account: string,
    { limit, cursor, ...filters }: CursorQuery,
  ): CursorList {
    const scope: CursorScope = { list, partner, account, filters: sorted(filters) };
    const after = cursor === undefined ? undefined : this.cursors.open(scope, cursor);
    if (cursor !== undefined && after === undefined)
      throw new ApiError('invalid', `cursor ${INVALID_CURSOR}.`);
    const start = after === undefined ? {} : { after };
    const page = <D>(documents: readonly D[], next: CreationPosition | undefined): CursorPage<D> => {
      const next_cursor = next === undefined ? null : this.cursors.seal(scope, next);
      return { documents, has_more: next_cursor !== null, next_cursor };
    };
    return {
      limit,
      ...start,
      async read(find) {
        const { documents, positions } = await find({ limit: limit + 1, ...start });
        const isLast = documents.length <= limit;
        return page(documents.slice(0, limit), isLast ? undefined : positions[limit - 1]);
      },
      async follow(find) {
        const { documents, next } = await find({ limit, ...start });
        return page(documents, next);
      },
    };
  }

  /**
   * Answers a page, or 304 if the client has it. `mark` names a document and its revision, so the validator follows
   * events only; a later `last_seen_at` is no change.
   */
  answer<D>(
    { documents, has_more, next_cursor }: CursorPage<D>,
    ifNoneMatch: string | undefined,
    mark: (document: D) => string,
    show: () => readonly object[] | Promise<readonly object[]>,
  ): Promise<Answer | BareAnswer> {
    const etag = this.validators.ofPage([...documents.map(mark), `${has_more}`]);
    return unlessCurrent(ifNoneMatch, etag, async () => ({ items: await show(), has_more, next_cursor }));
  }
}

const sorted = (filters: object) =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
