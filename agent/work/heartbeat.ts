import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceClient } from '../service/service-client.js';
import { nameable, type Journal } from '../state/journal.js';
import type { Health } from './health.js';
import type { InventorySync } from './inventory-sync.js';
import type { JobRunner } from './job-runner.js';
import type { Sessions } from './sessions.js';

/** Sends heartbeats with the held leases and drops the leases that the service reports as lost. */
export class Heartbeat {
  constructor(
    private readonly client: ServiceClient,
    private readonly sessions: Sessions,
    private readonly journal: Journal,
    private readonly runner: JobRunner,
    private readonly inventory: InventorySync,
    private readonly health: Health,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.sessions.current.config.heartbeat_seconds * 1000, undefined, { signal });
      await this.beat(signal);
    }
  }

  private async beat(signal: AbortSignal): Promise<void> {
    const leaseIds = nameable(this.journal.held()).map(({ lease }) => lease.lease_id);
    // A folder that cannot be examined is no reason to lose the leases.
    const health = await this.health.now().catch(() => undefined);
    const answer = await this.sessions.under(
      (session) => this.client.heartbeat(session.session_id, leaseIds, health, signal),
      signal,
    );
    for (const { lease_id, reason } of answer.lost) this.runner.lose(lease_id, reason);
    if (answer.resync_inventory) this.inventory.resync();
  }
}
