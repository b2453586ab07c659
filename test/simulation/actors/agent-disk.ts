/** A lease as the service sends it. */
export interface Lease {
  readonly lease_id: string;
  readonly job_id: string;
  readonly fence: number;
  readonly printer_key: string;
  readonly content_hash: string;
  readonly document_name: string;
  readonly expires_at: string;
}

export type Phase = 'leased' | 'accepted' | 'handing_off' | 'handed_off';

export interface Held {
  readonly lease: Lease;
  readonly phase: Phase;
  /** Session that got the lease. */
  readonly takenBy: string;
  readonly spoolerEpoch?: number;
  readonly spoolerJobId?: string;
}

export interface Report {
  readonly event_id: string;
  readonly [field: string]: unknown;
}

/** The journal, outbox and credential of an Agent. What is written stays, whatever crashes. */
export class AgentDisk {
  readonly journal = new Map<string, Held>();
  readonly outbox = new Map<string, Report>();
  /** The highest position received. */
  seen: string | undefined;

  constructor(
    readonly installationId: string,
    readonly credential: string,
  ) {}

  record(held: Held): Held {
    this.journal.set(held.lease.document_name, held);
    return held;
  }

  saw(position: unknown): void {
    if (typeof position === 'string' && position > (this.seen ?? '')) this.seen = position;
  }

  /** A second machine with the same content. */
  clone(): AgentDisk {
    const copy = new AgentDisk(this.installationId, this.credential);
    for (const [document, held] of this.journal) copy.journal.set(document, held);
    for (const [id, report] of this.outbox) copy.outbox.set(id, report);
    copy.seen = this.seen;
    return copy;
  }
}

/** Of the journal, as a new session names it. */
export function entryOf({ lease, phase }: Held) {
  const { job_id, lease_id, fence } = lease;
  return { job_id, lease_id, fence, phase };
}

export const isUntouched = ({ phase }: Held) => phase === 'leased' || phase === 'accepted';

export function reportOf({ lease, spoolerJobId }: Held, type: string, details: object) {
  const { job_id, lease_id, fence } = lease;
  const spooler = spoolerJobId ? { spooler_provider: 'simulated', spooler_job_id: spoolerJobId } : {};
  return { job_id, lease_id, fence, type, ...spooler, ...details };
}

/** From 0 to 1, the same for all attempts of the job. */
export const shareOf = (jobId: string) => parseInt(jobId.slice(-7), 16) / 16 ** 7;
