import { LRUCache } from 'lru-cache';
import type { AnyProjection, ViewDefinition } from '../kernel/projection.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { BuildWrites, KeptDocument, ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import {
  PoisonEventError,
  ProjectionRunner,
  type DocumentWrite,
  type StoredDocument,
  type Tombstone,
} from './projection-runner.js';

/** What to do with an event that a projection cannot fold: stop, or set it aside and go on (facts 3.6). */
export type PoisonPolicy = (view: ViewDefinition) => 'halt' | 'set_aside';

/** A build and the projection that fills it. */
export interface Filling {
  readonly projection: AnyProjection;
  readonly build: ViewBuild;
}

const NOTHING: ReadonlyMap<string, StoredDocument | Tombstone> = new Map();
/** Documents of all builds together that are kept folded for the next batch. */
const CACHED_DOCUMENTS = 10_000;

/**
 * Folds batches of events into builds: one read of what is not at hand, one write for each document that changed. What
 * it keeps at hand came from events in order, so it is right whoever else writes.
 */
export class BuildFolder {
  private readonly kept = new LRUCache<string, StoredDocument | Tombstone>({ max: CACHED_DOCUMENTS });
  /** Of the batch at hand. */
  private readonly aside = new Set<string>();
  private readonly runner: ProjectionRunner;
  private readonly builds: ReadonlyMap<ViewDefinition, ViewBuild>;
  /** Newer than what the writer would answer, and more perhaps than is kept. */
  private beingWritten = NOTHING;
  /** Documents that the batch at hand begins with. */
  private atHand: ReadonlyMap<string, StoredDocument | Tombstone> = new Map();

  constructor(
    private readonly writer: ViewWriter,
    fillings: readonly Filling[],
    private readonly policy: PoisonPolicy,
  ) {
    this.builds = new Map(fillings.map(({ projection, build }) => [projection.view, build]));
    const projections = fillings.map(({ projection }) => projection);
    this.runner = new ProjectionRunner(projections, (view, id) => this.atHand.get(keyOf(view, id)), {
      tombstones: true,
      passOver: (view, event) => this.aside.size > 0 && this.aside.has(keyOf(view, event.id)),
    });
  }

  /**
   * Batches come in the order of their events, none left out.
   * @throws PoisonEventError of a view that halts; UnavailableError. Either way the same batch may come again.
   */
  async apply(events: readonly RecordedEvent[]): Promise<void> {
    const write = await this.begin(events);
    try {
      await write();
    } catch (error) {
      this.beingWritten = NOTHING;
      throw error;
    }
  }

  /**
   * Folds a batch; what comes of it is written by the call of what this resolves to. It may be called again when it
   * fails. Until it has ended, one more batch may be begun, and it sees what is being written.
   * @throws as `apply`
   */
  async begin(events: readonly RecordedEvent[]): Promise<() => Promise<void>> {
    this.atHand = await this.fetch(events);
    const writes = await this.fold(events);
    this.aside.clear();
    const results = new Map(writes.map((write) => [keyOf(write.view, write.id), remembered(write)]));
    return async () => {
      this.beingWritten = results;
      await this.writer.write(this.grouped(writes));
      for (const [key, result] of results) this.kept.set(key, result);
      this.beingWritten = NOTHING;
    };
  }

  private async fold(events: readonly RecordedEvent[]): Promise<readonly DocumentWrite[]> {
    for (;;) {
      try {
        return this.runner.fold(events);
      } catch (error) {
        if (!(error instanceof PoisonEventError) || this.policy(error.view) === 'halt') throw error;
        await this.setAside(error);
      }
    }
  }

  private async setAside({ view, event, message }: PoisonEventError): Promise<void> {
    const { id: eventId, stream, revision, position } = event;
    const { place } = this.builds.get(view)!;
    await this.writer.setAside({
      view: view.name,
      place,
      eventId,
      stream,
      revision,
      position,
      error: message,
    });
    this.aside.add(keyOf(view, eventId));
  }

  /** Every document the events may touch: from memory, the rest by one read for each build. */
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
    for (const { id, document, revision, birth } of await this.writer.load(this.builds.get(view)!, ids)) {
      into.set(keyOf(view, id), document ? { document, revision, birth } : { document, revision });
    }
  }

  private grouped(writes: readonly DocumentWrite[]): readonly BuildWrites[] {
    const groups = new Map<ViewDefinition, KeptDocument[]>();
    for (const write of writes) {
      const group = groups.get(write.view) ?? [];
      groups.set(write.view, group);
      group.push(keptOf(write));
    }
    return [...groups].map(([view, documents]) => ({ build: this.builds.get(view)!, documents }));
  }
}

function keyOf(view: ViewDefinition, id: string): string {
  return `${view.name} ${id}`;
}

function remembered({ after, seen }: DocumentWrite): StoredDocument | Tombstone {
  return after ?? { document: undefined, revision: seen };
}

/** A tombstone keeps no birth of its own: what comes after it is born anew. */
function keptOf({ id, before, after, seen }: DocumentWrite): KeptDocument {
  return after ? { id, ...after } : { id, document: undefined, revision: seen, birth: before?.birth ?? '' };
}
