import { Command } from '../../kernel/command.js';
import type { Origin, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { QueuedJob } from './ports.js';

/** Jobs leased or accepted and not yet handed off count against it (agent-protocol.md). */
export const MAX_LEASES = 4;

/** Leases work to the current session of a computer, oldest job first per printer, only for ready printers. */
export class LeaseJobs extends Command<Granted> {
  constructor(
    readonly computerId: string,
    readonly sessionId: string,
    readonly max: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface Granted {
  readonly leases: readonly GrantedLease[];
  /** When the first of the jobs skipped for too many releases may be leased. */
  readonly lookAgainAt?: Instant;
}

export interface GrantedLease {
  readonly leaseId: string;
  readonly fence: number;
  readonly leaseUntil: Instant;
  readonly job: QueuedJob;
  /** The agent's own key of the printer. */
  readonly printerKey: string;
  /** Events stored by the grant. */
  readonly events: readonly RecordedEvent[];
}
