import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { BuildWrites, KeptDocument, ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import {
  ProjectionRunner,
  type DocumentWrite,
  type StoredDocument,
  type Tombstone,
} from './projection-runner.js';
import type { CorruptEventError } from '../../kernel/errors.js';

export interface ProjectedBuild {
  readonly projection: AnyProjection;
  readonly build: ViewBuild;
}

const NONE: ReadonlyMap<string, StoredDocument | Tombstone> = new Map();
const CACHED_DOCUMENTS = 10_000;

/** One read per build and batch, one write per document. The cache stays right if another instance writes. */
export class BatchProjector {
  private readonly kept = new LRUCache<string, StoredDocument | Tombstone>(growingTo(CACHED_DOCUMENTS));
  private readonly runner: ProjectionRunner;
  private readonly builds: ReadonlyMap<ViewDefinition, ViewBuild>;
  /** The batch being written: newer than the store's answers. */
  private beingWritten = NONE;
  private before: ReadonlyMap<string, StoredDocument | Tombstone> = new Map();

  constructor(
    private readonly writer: ViewWriter,
    projected: readonly ProjectedBuild[],
  ) {
    this.builds = new Map(projected.map(({ projection, build }) => [projection.view, build]));
    const projections = projected.map(({ projection }) => projection);
    this.runner = new ProjectionRunner(projections, (view, id) => this.before.get(keyOf(view, id)), {
      tombstones: true,
      countChanges: true,
    });
  }

  /** In order, without gaps; may be repeated after an error. @throws PoisonEventError; UnavailableError */
  async apply(events: readonly RecordedEvent[]): Promise<void> {
    const write = await this.begin(events);
    try {
      await write();
    } catch (error) {
      this.beingWritten = NONE;
      throw error;
    }
  }

  /** Resolves to the repeatable write, during which one more batch may begin. @throws as `apply` */
  async begin(events: readonly RecordedEvent[]): Promise<() => Promise<void>> {
    this.before = await this.fetch(events);
    const writes = this.runner.fold(events);
    const results = new Map(writes.map((write) => [keyOf(write.view, write.id), remembered(write)]));
    return async () => {
      this.beingWritten = results;
      if (writes.length > 0) await this.writer.write(this.grouped(writes));
      for (const [key, result] of results) this.kept.set(key, result);
      this.beingWritten = NONE;
    };
  }

  /** @throws PoisonEventError if a projection handles the damaged event, or may */
  refuse(error: CorruptEventError): void {
    this.runner.refuse(error);
  }

  private async fetch(
    events: readonly RecordedEvent[],
  ): Promise<ReadonlyMap<string, StoredDocument | Tombstone>> {
    const found = new Map<string, StoredDocument | Tombstone>();
    const reads: Promise<void>[] = [];
    for (const [view, ids] of this.runner.lookedUp(events)) {
      const missing: string[] = [];
      for (const id of ids) {
        const kept = this.beingWritten.get(keyOf(view, id)) ?? this.kept.get(keyOf(view, id));
        if (kept) found.set(keyOf(view, id), kept);
        else missing.push(id);
      }
      if (missing.length > 0) reads.push(this.read(view, missing, found));
    }
    await Promise.all(reads);
    return found;
  }

  private async read(
    view: ViewDefinition,
    ids: readonly string[],
    into: Map<string, StoredDocument | Tombstone>,
  ): Promise<void> {
    for (const { id, document, revision, creationPosition } of await this.writer.load(
      this.builds.get(view)!,
      ids,
    )) {
      into.set(keyOf(view, id), document ? { document, revision, creationPosition } : { document, revision });
    }
  }

  private grouped(writes: readonly DocumentWrite[]): readonly BuildWrites[] {
    const groups = new Map<ViewDefinition, DocumentWrite[]>();
    for (const write of writes) {
      const group = groups.get(write.view) ?? [];
      groups.set(write.view, group);
      group.push(write);
    }
    return [...groups].map(([view, group]) => ({
      build: this.builds.get(view)!,
      documents: group.map(keptOf),
      counts: group.flatMap(({ counts = [] }) => counts),
    }));
  }
}

function keyOf(view: ViewDefinition, id: string): string {
  return `${view.name} ${id}`;
}

function remembered({ after, seen }: DocumentWrite): StoredDocument | Tombstone {
  return after ?? { document: undefined, revision: seen };
}

/** A tombstone has no creation position: a document after it is created anew. */
function keptOf({ id, before, after, seen }: DocumentWrite): KeptDocument {
  return after
    ? { id, ...after }
    : { id, document: undefined, revision: seen, creationPosition: before?.creationPosition ?? '' };
}
