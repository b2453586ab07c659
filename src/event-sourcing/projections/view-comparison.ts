import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { ViewVerification } from '../ports/view-maintenance.port.js';
import type { KeptTotal } from '../ports/view-writer.port.js';
import { ViewDigest } from './view-digest.js';
import type { CreationPosition } from '../../kernel/recorded-event.js';

export interface ContainedDocument {
  readonly id: string;
  readonly birth: CreationPosition;
  /** Undefined for a tombstone, which does not count. */
  readonly document: ViewDocument | undefined;
}

/** All of one build of a view. */
export interface ViewContents {
  /** In the order of creation. */
  readonly documents: Iterable<ContainedDocument> | AsyncIterable<ContainedDocument>;
  /** Kept totals other than zero, in the order of their keys. */
  readonly totals?: Iterable<KeptTotal> | AsyncIterable<KeptTotal>;
}

/** Compares the active build of a view with a replay, both at the same position. */
export async function compareViews(
  view: ViewDefinition,
  active: ViewContents,
  replayed: ViewContents,
): Promise<ViewVerification> {
  const live = await digestOf(view, active);
  const replay = await digestOf(view, replayed);
  return {
    name: view.name,
    equal: live.digest === replay.digest,
    documents: live.documents,
    live_digest: live.digest,
    replay_digest: replay.digest,
  };
}

async function digestOf(
  view: ViewDefinition,
  { documents, totals = [] }: ViewContents,
): Promise<{ digest: string; documents: number }> {
  const digest = new ViewDigest(view);
  let count = 0;
  for await (const { id, birth, document } of documents) {
    if (!document) continue;
    digest.add(id, birth, document);
    count++;
  }
  for await (const [key, n] of totals) digest.addTotal(key, n);
  return { digest: digest.result(), documents: count };
}
