import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { ViewVerification } from '../ports/view-store.port.js';
import type { KeptTotal } from '../ports/view-writer.port.js';
import type { CreationPosition } from '../../kernel/recorded-event.js';
import { createHash } from 'node:crypto';

export interface ContainedDocument {
  readonly id: string;
  readonly creationPosition: CreationPosition;
  /** Undefined for a tombstone, which does not count. */
  readonly document: ViewDocument | undefined;
}

export interface ViewContents {
  readonly documents: Iterable<ContainedDocument> | AsyncIterable<ContainedDocument>;
  /** Without zeros, in the order of their keys. */
  readonly totals?: Iterable<KeptTotal> | AsyncIterable<KeptTotal>;
}

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
  for await (const { id, creationPosition, document } of documents) {
    if (!document) continue;
    digest.add(id, creationPosition, document);
    count++;
  }
  for await (const [key, n] of totals) digest.addTotal(key, n);
  return { digest: digest.result(), documents: count };
}

/** In the order of creation; ignores the order of JSON fields. */
export class ViewDigest {
  private readonly hash = createHash('sha256');

  constructor(private readonly view: ViewDefinition) {}

  add(id: string, creationPosition: CreationPosition, document: ViewDocument): void {
    const compared = { ...document } as Record<string, unknown>;
    for (const field of this.view.volatileFields ?? []) delete compared[field];
    this.hash.update(`${creationPosition} ${JSON.stringify(id)} ${canonical(compared)}\n`);
  }

  addTotal(key: string, n: number): void {
    this.hash.update(`${key} ${n}\n`);
  }

  result(): string {
    return this.hash.digest('hex');
  }
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
