import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import {
  ViewMaintenance,
  type ViewStatus,
  type ViewVerification,
} from '../../ports/view-maintenance.port.js';
import { ViewDigest } from '../../event-sourcing/projections/view-digest.js';
import type { MemoryEventStore } from './memory-event-store.js';
import { MemoryViews, type MemoryTable } from './memory-views.js';

export class MemoryViewMaintenance extends ViewMaintenance {
  constructor(
    private readonly events: MemoryEventStore,
    private readonly views: MemoryViews,
  ) {
    super();
  }

  async check(): Promise<void> {
    await this.list();
  }

  async list(): Promise<readonly ViewStatus[]> {
    const position = await this.events.head();
    return this.views.projections.map(({ view }) => ({
      name: view.name,
      version: view.version,
      position,
      lag: 0,
    }));
  }

  async rebuild(name: string): Promise<ViewStatus> {
    const projection = this.views.projections.find(({ view }) => view.name === name);
    if (!projection) throw new RangeError(`there is no view ${name}`);
    this.views.replace(projection.view, this.replay(projection));
    return (await this.list()).find((status) => status.name === name)!;
  }

  async verify(): Promise<readonly ViewVerification[]> {
    return this.views.projections.map((projection) => {
      const live = this.views.table(projection.view);
      const live_digest = digestOf(projection.view, live);
      const replay_digest = digestOf(projection.view, this.replay(projection));
      const equal = live_digest === replay_digest;
      return { name: projection.view.name, equal, documents: live.size, live_digest, replay_digest };
    });
  }

  private replay(projection: AnyProjection): MemoryTable {
    const shadow = new MemoryViews([projection]);
    shadow.project(this.events.everything());
    return shadow.table(projection.view);
  }
}

function digestOf(view: ViewDefinition, table: MemoryTable): string {
  const digest = new ViewDigest(view);
  const rows = [...table].sort(([, a], [, b]) => (a.birth < b.birth ? -1 : 1));
  for (const [id, { birth, document }] of rows) digest.add(digest.line(id, birth, document));
  return digest.result();
}
