import type { AnyProjection, ViewDefinition } from '../../kernel/projection.js';
import type { EventStore } from '../../ports/event-store.port.js';
import {
  ViewMaintenance,
  type ViewStatus,
  type ViewVerification,
} from '../../ports/view-maintenance.port.js';
import { ViewDigest } from '../../runtime/view-digest.js';
import { MemoryViews, type MemoryTable } from './memory-views.js';

export class MemoryViewMaintenance extends ViewMaintenance {
  constructor(
    private readonly events: EventStore,
    private readonly views: MemoryViews,
  ) {
    super();
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
    this.views.replace(projection.view, await this.replay(projection));
    return (await this.list()).find((status) => status.name === name)!;
  }

  async verify(): Promise<readonly ViewVerification[]> {
    return Promise.all(
      this.views.projections.map(async (projection) => {
        const live = this.views.table(projection.view);
        const live_digest = digestOf(projection.view, live);
        const replay_digest = digestOf(projection.view, await this.replay(projection));
        const equal = live_digest === replay_digest;
        return { name: projection.view.name, equal, documents: live.size, live_digest, replay_digest };
      }),
    );
  }

  private async replay(projection: AnyProjection): Promise<MemoryTable> {
    const shadow = new MemoryViews([projection]);
    shadow.project(await this.events.readAll({ max: Infinity }));
    return shadow.table(projection.view);
  }
}

function digestOf(view: ViewDefinition, table: MemoryTable): string {
  const digest = new ViewDigest(view);
  const rows = [...table].sort(([, a], [, b]) => (a.birth < b.birth ? -1 : 1));
  for (const [id, { birth, document }] of rows) digest.add(digest.line(id, birth, document));
  return digest.result();
}
