import { Injectable } from '@nestjs/common';
import { Readiness, type Checks, type Details } from '../kernel/readiness.js';
import { RollbackState } from '../contexts/recovery/index.js';
import type { Milliseconds } from '../kernel/time.js';
import { withTimeout } from '../async/deadline.js';
import { EventStore, ViewMaintenance } from '../event-sourcing/index.js';

const LAG_LIMIT_EVENTS = 10_000;
/** Detects a stopped projector on a quiet service, where few events are missing. */
const LAG_LIMIT_MS: Milliseconds = 60_000;
/** Shorter than the usual timeout of a readiness probe. */
const PROBE_MS: Milliseconds = 2_000;

/** Checks stores and lag separately, so that the answer names the failing one. */
@Injectable()
export class StoreReadiness extends Readiness {
  constructor(
    private readonly events: EventStore,
    private readonly maintenance: ViewMaintenance,
    private readonly rollback: RollbackState,
  ) {
    super();
  }

  async check(): Promise<Checks> {
    const [event_store, read_store, follow] = await Promise.all([
      inTime(() => this.events.check()),
      inTime(() => this.maintenance.check()),
      inTime(() => this.refuseToLag()),
    ]);
    return {
      event_store: event_store ? 'ok' : 'failing',
      read_store: read_store ? 'ok' : 'failing',
      projections: follow ? 'ok' : 'lagging',
    };
  }

  override async details(): Promise<Details> {
    try {
      const isRolledBack = await withTimeout(PROBE_MS, 'readiness', () => this.rollback.isRolledBack());
      return { store_rolled_back: Number(isRolledBack) };
    } catch {
      return {};
    }
  }

  /** Fails too while a store fails, because the lag is unknown then. */
  private async refuseToLag(): Promise<void> {
    const views = await this.maintenance.list();
    const behind = views.find((view) => view.lag > LAG_LIMIT_EVENTS);
    if (behind) throw new Error(`${behind.name} is ${behind.lag} events behind`);
    const behindMs = await this.maintenance.behindMs();
    if (behindMs > LAG_LIMIT_MS) throw new Error(`the views are ${behindMs} ms behind`);
  }
}

function inTime(probe: () => Promise<void>): Promise<boolean> {
  return withTimeout(PROBE_MS, 'readiness', probe).then(
    () => true,
    () => false,
  );
}
