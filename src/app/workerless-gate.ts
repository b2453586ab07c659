import { ImportGate } from '../api/operator/export-import/event-import.js';
import type { Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import { CONSUMER_GROUPS } from './singleton-workers.js';
import type { GroupLeases } from '../event-sourcing/index.js';

const LEASE_MS: Milliseconds = 30_000;

/** Holds the leases of all consumers during an import, so that no worker starts meanwhile. */
export class WorkerlessGate extends ImportGate {
  constructor(
    private readonly role: Config['role'],
    private readonly leases: GroupLeases | undefined,
    private readonly holder: string,
  ) {
    super();
  }

  async isOpen(): Promise<boolean> {
    if (this.role !== 'api') return false;
    for (const group of CONSUMER_GROUPS) {
      if (this.leases && !(await this.leases.acquire(group, this.holder, LEASE_MS))) return false;
    }
    return true;
  }
}
