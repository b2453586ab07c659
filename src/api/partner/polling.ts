import { answer, notModified, type Answer, type BareAnswer } from '../../http/answer.js';
import { isKnown, pageEtag } from '../../http/etag.js';
import type { Success } from '../../http/operation.js';
import type { CursorPage } from './cursor-lists.js';

/** Request header of everything that is polled, for its declaration. */
export const IF_NONE_MATCH = {
  'If-None-Match':
    'The ETag of an earlier answer. If nothing has changed, the answer is 304: no body, and not counted by the rate limit.',
} as const;

export const ETAG = {
  ETag: 'Weak validator of what this answer shows; give it back in If-None-Match',
} as const;

export const UNCHANGED: Success = {
  status: 304,
  description: 'Nothing has changed since the answer with this ETag.',
  headers: ETAG,
};

/**
 * A page, unless the client holds it already. `mark` names a document and its revision: the validator is made of
 * what events say. That an agent has called again moves `last_seen_at` and is no change.
 */
export async function pageAnswer<D>(
  page: CursorPage<D>,
  ifNoneMatch: string | undefined,
  mark: (document: D) => string,
  show: () => readonly object[] | Promise<readonly object[]>,
): Promise<Answer | BareAnswer> {
  const { documents, has_more, next_cursor } = page;
  const etag = pageEtag([...documents.map(mark), `${has_more}`]);
  if (isKnown(ifNoneMatch, etag)) return notModified({ etag });
  return answer('OK', { items: await show(), has_more, next_cursor }, { headers: { etag } });
}
