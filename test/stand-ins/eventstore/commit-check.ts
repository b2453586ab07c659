import { isSoftDeleted, lastRevision, type StoredStream } from './stored-stream.js';

export type Expected = number | 'no_stream' | 'any' | 'stream_exists';

export type CommitDecision =
  | { readonly kind: 'write'; readonly undelete: boolean }
  | { readonly kind: 'repeated'; readonly lastRevision: number; readonly lastOrdinal: number }
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'deleted' };

/** What the check asks of the log. */
export interface CommittedIds {
  /** Id of the event at this ordinal, however old. source: IndexReader.ReadPrepare */
  idAt(ordinal: number): string;
  /** Ordinal of a recently committed event. source: IndexWriter._committedEvents */
  recent(id: string, stream: StoredStream): number | undefined;
}

/** What becomes of an append or a delete, in the server's order of decisions. source: IndexWriter.CheckCommit */
export function checkCommit(
  stream: StoredStream,
  expected: Expected,
  ids: readonly string[],
  committed: CommittedIds,
): CommitDecision {
  if (stream.tombstoned) return { kind: 'deleted' };
  if (expected === 'stream_exists') {
    if (isSoftDeleted(stream)) return { kind: 'deleted' };
    if (stream.ordinals.length === 0) return wrongVersion(stream);
  }
  if (expected === 'any' || expected === 'stream_exists') return checkRecent(stream, ids, committed);
  const revision = expected === 'no_stream' ? -1 : expected;
  if (revision > lastRevision(stream)) return wrongVersion(stream);
  if (revision === lastRevision(stream)) return { kind: 'write', undelete: isSoftDeleted(stream) };
  return checkRevisions(stream, revision, ids, committed);
}

const wrongVersion = (stream: StoredStream): CommitDecision => ({
  kind: 'wrong-version',
  current: lastRevision(stream),
});

/** Weak: an id that the bounded cache has forgotten is written again. */
function checkRecent(stream: StoredStream, ids: readonly string[], committed: CommittedIds): CommitDecision {
  let last: number | undefined;
  for (const [index, id] of ids.entries()) {
    const ordinal = committed.recent(id, stream);
    if (ordinal === undefined) {
      // Partly written before ("corrupted idempotency"): answered as a conflict.
      return index > 0 ? wrongVersion(stream) : { kind: 'write', undelete: isSoftDeleted(stream) };
    }
    last = ordinal;
  }
  if (last === undefined) return { kind: 'write', undelete: isSoftDeleted(stream) };
  return { kind: 'repeated', lastRevision: stream.ordinals.indexOf(last), lastOrdinal: last };
}

/** Strong: the ids at exactly these revisions decide; the bodies are never compared. */
function checkRevisions(
  stream: StoredStream,
  expected: number,
  ids: readonly string[],
  committed: CommittedIds,
): CommitDecision {
  for (const [index, id] of ids.entries()) {
    const ordinal = stream.ordinals[expected + 1 + index];
    if (ordinal !== undefined && committed.idAt(ordinal) === id) continue;
    const starts = index === 0 && expected === -1 && isSoftDeleted(stream);
    return starts ? { kind: 'write', undelete: true } : wrongVersion(stream);
  }
  const last = expected + ids.length;
  if (ids.length === 0) return wrongVersion(stream);
  return { kind: 'repeated', lastRevision: last, lastOrdinal: stream.ordinals[last]! };
}
