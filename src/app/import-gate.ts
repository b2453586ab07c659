import { ImportGate } from '../api/operator/moving/import-gate.js';
import type { Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import type { GroupLeases } from '../ports/group-leases.port.js';
import { REACTING_DUTIES } from './duties.js';

const CLOSED_TO_OTHERS_MS: Milliseconds = 30_000;

/**
 * Open on an instance that has no duties itself, while it holds the leases of all duties that act on events: a
 * worker that starts meanwhile waits until they run out.
 */
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
    for (const duty of REACTING_DUTIES) {
      if (this.leases && !(await this.leases.acquire(duty, this.holder, CLOSED_TO_OTHERS_MS))) return false;
    }
    return true;
  }
}
