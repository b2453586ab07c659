import { createHash } from 'node:crypto';

const DIGEST_CHARACTERS = 22;
const TAG = /(?:W\/)?"([^"]*)"/g;

/** A weak validator (RFC 9110, 8.8.1) of something that has a revision. */
export const revisionEtag = (revision: number) => `W/"${revision}"`;

/** A weak validator of a page: of what it holds, in order. */
export function pageEtag(parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('base64url');
  return `W/"${digest.slice(0, DIGEST_CHARACTERS)}"`;
}

/** Whether If-None-Match names the validator; compared weakly (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '').slice(1, -1);
  return [...ifNoneMatch.matchAll(TAG)].some(([, known]) => known === opaque);
}
