import type { AnyProjection, ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { CreationPosition, RecordedEvent } from '../../kernel/recorded-event.js';
import { creationPositionOf } from './creation-order.js';
import type { CountChange } from '../ports/view-writer.port.js';
import { combinationsWithAll, forEachCountChange } from './view-index.js';
import { type CorruptEventError, messageOf } from '../../kernel/errors.js';

export interface StoredDocument {
  readonly document: ViewDocument;
  readonly revision: number;
  readonly creationPosition: CreationPosition;
}

/** Location of a document deleted by the event of this revision. */
export interface Tombstone {
  readonly document: undefined;
  readonly revision: number;
}

/** Effect of a batch on one document; `after` undefined deletes it. */
export interface DocumentWrite {
  readonly view: ViewDefinition;
  readonly id: string;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
  /** Last event of the batch that was applied to the document. */
  readonly seen: number;
  /** With `countChanges`: changes of the view's totals, per event. */
  readonly counts?: readonly CountChange[];
}

export type LoadDocument = (view: ViewDefinition, id: string) => StoredDocument | Tombstone | undefined;

/** A projection threw on an event that it handles, or the event is damaged. */
export class PoisonEventError extends Error {
  constructor(
    readonly view: ViewDefinition,
    event: Pick<RecordedEvent, 'stream' | 'revision'> & {
      readonly type?: string | undefined;
      readonly id?: string;
    },
    cause: unknown,
  ) {
    const what = `${event.type ?? 'an event'} ${event.id ?? ''} (${event.stream} ${event.revision})`;
    super(`view ${view.name} cannot fold ${what}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

export interface RunnerOptions {
  /** Yields documents deleted within their batch too, so that no delayed writer restores them. */
  readonly tombstones?: boolean;
  /** Also yields changes of totals, for a store that gates totals by position. */
  readonly countChanges?: boolean;
}

interface Touched {
  readonly before: StoredDocument | undefined;
  after: StoredDocument | undefined;
  /** Last event that was folded or skipped; -1 for none. */
  seen: number;
  /** The document existed at some point of the batch. */
  existed: boolean;
  counts?: CountChange[];
}

export class ProjectionRunner {
  private readonly byType = new Map<string, AnyProjection[]>();

  constructor(
    projections: readonly AnyProjection[],
    private readonly loadDocument: LoadDocument,
    private readonly options: RunnerOptions = {},
  ) {
    for (const projection of projections) {
      for (const type of projection.handles) {
        this.byType.set(type, [...(this.byType.get(type) ?? []), projection]);
      }
    }
  }

  handles(type: string): boolean {
    return this.byType.has(type);
  }

  /** @throws PoisonEventError if a projection handles the event, or may */
  refuse(error: CorruptEventError): void {
    const { type } = error;
    const [affected] = type === undefined ? [...this.byType.values()].flat() : (this.byType.get(type) ?? []);
    if (affected) throw new PoisonEventError(affected.view, error, error);
  }

  /** Ids that folding will look up, by view, without new documents. */
  lookedUp(events: Iterable<RecordedEvent>): ReadonlyMap<ViewDefinition, ReadonlySet<string>> {
    const asked = new Map<ViewDefinition, Set<string>>();
    const created = new Map<ViewDefinition, Set<string>>();
    for (const event of events) {
      for (const projection of this.byType.get(event.type) ?? []) {
        const { view } = projection;
        const here = created.get(view);
        const ids = idsOf(isFirst(event) ? created : asked, view);
        for (const id of keysOrNone(projection, event)) if (!here?.has(id)) ids.add(id);
      }
    }
    return asked;
  }

  /** Takes the events one by one, so that they need not all be in memory. */
  fold(events: Iterable<RecordedEvent>): DocumentWrite[] {
    const touched = new Map<ViewDefinition, Map<string, Touched>>();
    for (const event of events) {
      const projections = this.byType.get(event.type);
      if (projections) for (const projection of projections) this.foldOrBlame(projection, event, touched);
    }
    const writes: DocumentWrite[] = [];
    for (const [view, documents] of touched) {
      for (const [id, { before, after, seen, existed, counts }] of documents) {
        const gone = this.options.tombstones && existed && !after;
        if (before !== after || gone)
          writes.push({ view, id, before, after, seen, ...(counts && { counts }) });
      }
    }
    return writes;
  }

  /** @throws PoisonEventError */
  private foldOrBlame(
    projection: AnyProjection,
    event: RecordedEvent,
    touched: Map<ViewDefinition, Map<string, Touched>>,
  ): void {
    try {
      this.foldOne(projection, event, touched);
    } catch (cause) {
      throw new PoisonEventError(projection.view, event, cause);
    }
  }

  private foldOne(
    projection: AnyProjection,
    event: RecordedEvent,
    touched: Map<ViewDefinition, Map<string, Touched>>,
  ): void {
    const keys = projection.keysOf(event);
    if (keys.length === 0) return;
    let documents = touched.get(projection.view);
    if (!documents) touched.set(projection.view, (documents = new Map<string, Touched>()));
    for (let ordinal = 0; ordinal < keys.length; ordinal++) {
      const key = keys[ordinal]!;
      let entry = documents.get(key);
      if (!entry) documents.set(key, (entry = this.touch(projection.view, event, key)));
      if (event.revision <= entry.seen) continue;
      entry.seen = event.revision;
      const current = entry.after;
      const next: ViewDocument | undefined = projection.apply(current?.document, event, key);
      if (next === current?.document) continue;
      entry.existed = true;
      if (this.options.countChanges) this.noteCounts(projection.view, event, entry, next);
      entry.after = next && {
        document: next,
        revision: event.revision,
        creationPosition: current?.creationPosition ?? creationPositionOf(event, ordinal),
      };
    }
  }

  private noteCounts(
    view: ViewDefinition,
    { position }: RecordedEvent,
    entry: Touched,
    next: ViewDocument | undefined,
  ): void {
    forEachCountChange(combinationsWithAll(view), entry.after?.document, next, (key, by) =>
      (entry.counts ??= []).push({ key, position, by }),
    );
  }

  private touch(view: ViewDefinition, event: RecordedEvent, key: string): Touched {
    const kept = isFirst(event) ? undefined : this.loadDocument(view, key);
    const before = kept?.document && kept;
    return { before, after: before, seen: kept?.revision ?? -1, existed: before !== undefined };
  }
}

function idsOf(byView: Map<ViewDefinition, Set<string>>, view: ViewDefinition): Set<string> {
  let ids = byView.get(view);
  if (!ids) byView.set(view, (ids = new Set()));
  return ids;
}

function keysOrNone(projection: AnyProjection, event: RecordedEvent): readonly string[] {
  try {
    return projection.keysOf(event);
  } catch {
    return [];
  }
}

/** All events of a document come from one stream, so nothing precedes the stream's first event. */
function isFirst(event: RecordedEvent): boolean {
  return event.revision === 0;
}
