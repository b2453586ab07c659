import { Injectable } from '@nestjs/common';
import { Readiness, type Checks } from '../api/shared/readiness.js';
import { EventStore } from '../ports/event-store.port.js';
import { ViewMaintenance } from '../ports/view-maintenance.port.js';

/** Views further behind than this show too old a world. */
const LAG_LIMIT_EVENTS = 10_000;

@Injectable()
export class StoreReadiness extends Readiness {
  constructor(
    private readonly events: EventStore,
    private readonly maintenance: ViewMaintenance,
  ) {
    super();
  }

  async check(): Promise<Checks> {
    const [event_store, views] = await Promise.all([
      this.events.check().then(
        () => 'ok' as const,
        () => 'failing' as const,
      ),
      this.maintenance.list().catch(() => undefined),
    ]);
    const behind = views?.some((view) => view.lag > LAG_LIMIT_EVENTS);
    return {
      event_store,
      read_store: views ? 'ok' : 'failing',
      projections: behind || !views ? 'lagging' : 'ok',
    };
  }
}
