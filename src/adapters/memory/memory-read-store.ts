import type { ViewDefinition } from '../../kernel/projection.js';
import type { Position } from '../../kernel/recorded-event.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import type {
  KeptDocument,
  MaintenanceAnswer,
  MaintenanceRequest,
  ViewBuild,
} from '../../ports/view-writer.port.js';
import type { MemoryTable } from './memory-views.js';

/** One build's documents, and where documents were. */
interface Place {
  readonly build: ViewBuild;
  readonly epoch: number;
  readonly documents: MemoryTable;
  /** Revisions by id. */
  readonly graves: Map<string, number>;
}

/** What several instances write and read as if it were another machine: documents go through JSON. */
export class MemoryReadStore {
  state: { position: Position | undefined; epoch: number } | undefined;
  readonly active = new Map<string, ViewBuild>();
  readonly places = new Map<string, Place>();
  readonly requests = new Map<string, MaintenanceRequest>();
  readonly answers = new Map<string, MaintenanceAnswer>();
  private readonly listeners = new Set<() => void>();
  private given = 0;

  newPlace(view: ViewDefinition, epoch: number): ViewBuild {
    const build = { view, place: `${view.name} v${view.version} ${(this.given += 1)}` };
    this.places.set(build.place, { build, epoch, documents: new Map(), graves: new Map() });
    return build;
  }

  /** Of the build that readers are on. @throws UnavailableError when there is none of this version */
  table({ name, version }: Pick<ViewDefinition, 'name' | 'version'>): MemoryTable {
    const place = this.places.get(this.active.get(name)?.place ?? '');
    if (place?.build.view.version !== version)
      throw new UnavailableError(`view ${name} is not built yet`, 'not_written');
    return place.documents;
  }

  /** Revision of what is kept under an id; -1 for nothing. */
  revisionOf({ documents, graves }: Place, id: string): number {
    return documents.get(id)?.revision ?? graves.get(id) ?? -1;
  }

  put({ documents, graves }: Place, { id, document, revision, birth }: KeptDocument): void {
    if (document) documents.set(id, { document: copyOf(document), revision, birth });
    else documents.delete(id);
    if (document) graves.delete(id);
    else graves.set(id, revision);
  }

  onMoved(listener: () => void): void {
    this.listeners.add(listener);
  }

  moved(): void {
    for (const listener of this.listeners) listener();
  }

  /** As when the database was dropped. */
  lose(): void {
    this.state = undefined;
    for (const lost of [this.active, this.places, this.requests, this.answers]) lost.clear();
  }
}

export function copyOf<D extends object>(document: D): D {
  return JSON.parse(JSON.stringify(document)) as D;
}
