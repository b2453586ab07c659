import type { ViewDefinition } from '../../../src/kernel/projection.js';
import type { Position } from '../../../src/kernel/recorded-event.js';
import type { GroupLease } from '../../../src/event-sourcing/ports/group-leases.port.js';
import {
  ViewWriter,
  type BuildWrites,
  type KeptDocument,
  type KeptTotal,
  type MaintenanceAnswer,
  type MaintenanceRequest,
  type ViewBuild,
  type ViewProgress,
} from '../../../src/event-sourcing/ports/view-writer.port.js';
import {
  combinationsWithAll,
  forEachCountChange,
} from '../../../src/event-sourcing/projections/view-index.js';
import type { FakeReadStore } from './read-store.js';
import { sent } from './sent.js';

export class FakeViewWriter extends ViewWriter {
  constructor(private readonly store: FakeReadStore) {
    super();
  }

  async takeOver({ epoch }: GroupLease): Promise<ViewProgress | undefined> {
    const { state } = this.store;
    if (state && state.epoch > epoch) return undefined;
    return (this.store.state = { position: state?.position, epoch, rollback: state?.rollback });
  }

  async active(views: readonly ViewDefinition[]): Promise<readonly ViewBuild[]> {
    return views.flatMap((view) => {
      const build = this.store.active.get(view.name);
      return build?.view.version === view.version ? { view, location: build.location } : [];
    });
  }

  async begin(view: ViewDefinition, { epoch }: GroupLease): Promise<ViewBuild> {
    const active = this.store.active.get(view.name)?.location;
    for (const left of this.store.builds.values()) {
      const isLeft =
        left.build.view.name === view.name && left.build.location !== active && left.epoch <= epoch;
      if (isLeft) await this.discard(left.build);
    }
    return this.store.newTables(view, epoch);
  }

  async load({ location: place }: ViewBuild, ids: readonly string[]): Promise<readonly KeptDocument[]> {
    const found = this.store.builds.get(place);
    return ids.flatMap((id): KeptDocument[] => {
      const stored = found?.documents.get(id);
      if (stored) return [{ id, ...stored }];
      const revision = found?.tombstones.get(id);
      return revision === undefined ? [] : [{ id, document: undefined, revision, creationPosition: '' }];
    });
  }

  async write(writes: readonly BuildWrites[]): Promise<number> {
    let stale = 0;
    for (const { build, documents } of writes) {
      const place = this.store.builds.get(build.location);
      for (const kept of documents) {
        if (place && this.store.revisionOf(place, kept.id) < kept.revision) this.store.put(place, kept);
        else stale++;
      }
    }
    return stale;
  }

  async advance(position: Position, { epoch }: GroupLease): Promise<boolean> {
    const { state } = this.store;
    if (state?.epoch !== epoch) return false;
    if (state.position === undefined || state.position < position) state.position = position;
    this.store.moved();
    return true;
  }

  /** Readers of the fake store see the stored position alone, as those of another instance do. */
  report(): void {}

  async progress(): Promise<ViewProgress | undefined> {
    return this.store.state && { ...this.store.state };
  }

  async activate(build: ViewBuild, { epoch }: GroupLease): Promise<boolean> {
    if (this.store.state?.epoch !== epoch) return false;
    this.store.active.set(build.view.name, build);
    return true;
  }

  async rollBack({ epoch }: GroupLease, end: Position): Promise<boolean> {
    if (this.store.state?.epoch !== epoch) return false;
    this.store.state = { position: undefined, epoch, rollback: { end } };
    this.store.active.clear();
    return true;
  }

  async recovered({ epoch }: GroupLease): Promise<boolean> {
    if (this.store.state?.epoch !== epoch) return false;
    this.store.state.rollback = undefined;
    return true;
  }

  async discard({ location: place }: ViewBuild): Promise<void> {
    this.store.builds.delete(place);
  }

  async *all({ location: place }: ViewBuild): AsyncIterable<KeptDocument> {
    const rows = [...(this.store.builds.get(place)?.documents ?? [])];
    rows.sort(([, a], [, b]) => (a.creationPosition < b.creationPosition ? -1 : 1));
    for (const [id, stored] of rows) yield { id, ...stored };
  }

  async *totals(build: ViewBuild): AsyncIterable<KeptTotal> {
    const totals = new Map<string, number>();
    for await (const { document } of this.all(build))
      forEachCountChange(combinationsWithAll(build.view), undefined, document, (key, by) =>
        totals.set(key, (totals.get(key) ?? 0) + by),
      );
    yield* [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async request(request: MaintenanceRequest): Promise<void> {
    this.store.requests.set(request.id, request);
  }

  async requested(): Promise<readonly MaintenanceRequest[]> {
    return [...this.store.requests.values()].filter(({ id }) => !this.store.answers.has(id));
  }

  async answer({ id }: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void> {
    this.store.answers.set(id, sent(answer));
  }

  async answerOf(requestId: string): Promise<MaintenanceAnswer | undefined> {
    return this.store.answers.get(requestId);
  }
}
