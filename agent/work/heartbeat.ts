import type { ServiceClient } from '../service/service-client.js';
import { nameable, type Journal } from '../state/journal.js';
import type { AddedPrinters } from './added-printers.js';
import type { CredentialRenewal } from './credential-renewal.js';
import type { Health } from './health.js';
import type { InventorySync } from './inventory-sync.js';
import type { JobRunner } from './job-runner.js';
import type { Sessions } from './sessions.js';
import type { StuckPrinters } from './stuck-printers.js';
import { WakeSignal } from './timing.js';

/** Sends heartbeats with the held leases and drops the leases that the service reports as lost. */
export class Heartbeat {
  private readonly wakeSignal = new WakeSignal();

  constructor(
    private readonly client: ServiceClient,
    private readonly sessions: Sessions,
    private readonly journal: Journal,
    private readonly runner: JobRunner,
    private readonly inventory: InventorySync,
    private readonly health: Health,
    private readonly stuck: StuckPrinters,
    private readonly renewal: CredentialRenewal,
    private readonly added: AddedPrinters | undefined,
  ) {
    stuck.onChange(this.wakeSignal.notify);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.wakeSignal.sleep(this.sessions.current.config.heartbeat_seconds * 1000, signal);
      await this.beat(signal);
    }
  }

  private async beat(signal: AbortSignal): Promise<void> {
    const leaseIds = nameable(this.journal.held()).map(({ lease }) => lease.lease_id);
    // A folder that cannot be examined is no reason to lose the leases.
    const health = await this.health.now().catch(() => undefined);
    const answer = await this.sessions.under(({ session_id }) => {
      const busy = this.sessions.busy(this.stuck.busy());
      const troubles = this.health.troubles(this.stuck.shown());
      const stuck_printers = busy && troubles.length > 0 ? troubles : undefined;
      return this.client.heartbeat(
        session_id,
        leaseIds,
        health && { ...health, stuck_printers },
        busy,
        signal,
      );
    }, signal);
    for (const { lease_id, reason } of answer.lost) this.runner.lose(lease_id, reason);
    if (answer.renew_credential) this.renewal.request();
    if (answer.resync_inventory) this.inventory.resync();
    void this.added?.learn(answer.added_printers, signal); // Leases lapse if the next heartbeat waits for it.
  }
}
