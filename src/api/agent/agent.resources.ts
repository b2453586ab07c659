import { Field } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import type { GrantedLease, JobStatus } from '../../contexts/jobs/index.js';

const optional = { optional: true } as const;
const position = text({ max: 200 });
const POSITION = { description: 'Opaque; compares as text. Send the greatest one as `seen`' } as const;
const count = integer(0, Number.MAX_SAFE_INTEGER);

export class AgentConfig {
  @Field(integer(0, 50)) poll_wait_seconds!: number;
  @Field({ ...count, schema: { type: 'number', minimum: 0 } }) heartbeat_seconds!: number;
  @Field({ ...count, schema: { type: 'number', minimum: 0 } }) lease_seconds!: number;
  @Field(integer(1, 1000)) max_leases!: number;
  @Field(integer(1, 1000)) max_leases_per_printer!: number;
}

class ReconciledJob {
  @Field(uuid()) job_id!: string;
  @Field(count) fence!: number;
  @Field(oneOf('continue', 'report', 'abandon', 'forget')) verdict!: string;
}

export class StartedSession {
  @Field(uuid()) session_id!: string;
  @Field(uuid()) computer_id!: string;
  @Field(position, POSITION) position!: string;
  @Field(object(() => AgentConfig)) config!: AgentConfig;
  @Field(
    listOf(
      object(() => ReconciledJob),
      { max: 1000 },
    ),
  )
  reconcile!: ReconciledJob[];
  @Field(dateTime(), { description: 'The end of the credential' }) credential_expires_at!: string;
}

export class RenewedCredential {
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) device_credential!: string;
  @Field(dateTime()) credential_expires_at!: string;
}

class RenewedLease {
  @Field(uuid()) lease_id!: string;
  @Field(dateTime()) lease_expires_at!: string;
}

class LostLease {
  @Field(uuid()) lease_id!: string;
  @Field(oneOf('cancelled', 'expired', 'lapsed', 'superseded')) reason!: string;
}

export class HeartbeatAnswer {
  @Field(
    listOf(
      object(() => RenewedLease),
      { max: 1000 },
    ),
  )
  renewed!: RenewedLease[];
  @Field(
    listOf(
      object(() => LostLease),
      { max: 1000 },
    ),
  )
  lost!: LostLease[];
  @Field(boolean(), { description: 'Send the whole inventory again' }) resync_inventory!: boolean;
  @Field(constant(true), { optional: true, description: 'The credential ends within 30 days: renew it' })
  renew_credential?: true;
}

class KnownPrinter {
  @Field(text({ max: 200 })) printer_key!: string;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 40 })) printer_code!: string;
  @Field(boolean()) enabled!: boolean;
}

export class InventoryAnswer {
  @Field(
    listOf(
      object(() => KnownPrinter),
      { max: 500 },
    ),
  )
  printers!: KnownPrinter[];
  @Field(boolean(), {
    description: 'False: some changes wait; a heartbeat asks for the inventory when they may be stored',
  })
  complete!: boolean;
}

export class Lease {
  @Field(uuid()) lease_id!: string;
  @Field(uuid()) job_id!: string;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) fence!: number;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 200 })) printer_key!: string;
  @Field(oneOf('pdf', 'raw', 'text')) content_type!: string;
  @Field(text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ })) content_hash!: string;
  @Field(integer(1, 10_485_760)) content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(text({ max: 128 }), { description: 'Name of the document in the spooler: svc:<job_id>:<fence>' })
  document_name!: string;
  @Field(dateTime()) expires_at!: string;
  @Field(dateTime()) lease_expires_at!: string;
}

export class LeasesAnswer {
  @Field(
    listOf(
      object(() => Lease),
      { max: 10 },
    ),
  )
  leases!: Lease[];
  @Field(position, POSITION) position!: string;
}

export class AcceptedJob {
  @Field(uuid()) job_id!: string;
  @Field(count) fence!: number;
  @Field(text({ max: 40 })) status!: string;
}

export class HandoffPermit {
  @Field(constant(true)) permit!: boolean;
  @Field(integer(1, 60), { description: 'Begin within this time or ask again' }) permit_seconds!: number;
  @Field(position, POSITION) position!: string;
}

class ReportedResult {
  @Field(text({ min: 0, max: 64 })) event_id!: string;
  @Field(oneOf('applied', 'duplicate', 'late', 'rejected')) result!: string;
  @Field(text({ max: 64 }), optional) code?: string;
  @Field(text({ max: 1000 }), optional) message?: string;
}

export class ReportResults {
  @Field(
    listOf(
      object(() => ReportedResult),
      { max: 100 },
    ),
  )
  results!: ReportedResult[];
}

export class ReleasedLease {
  @Field(uuid()) lease_id!: string;
  @Field(constant(true)) released!: boolean;
}

/** A lease as sent to the agent (docs/agent-protocol.md). */
export function leaseResource({ leaseId, fence, leaseUntil, job, printerKey }: GrantedLease) {
  return {
    lease_id: leaseId,
    job_id: job.jobId,
    fence,
    printer_id: job.printerId,
    printer_key: printerKey,
    content_type: job.contentType,
    content_hash: job.contentHash,
    content_size_bytes: job.contentSizeBytes,
    copies: job.copies,
    ...(job.title !== undefined && { title: job.title }),
    document_name: `svc:${job.jobId}:${fence}`,
    expires_at: job.expiresAt,
    lease_expires_at: leaseUntil,
  };
}

/** Reason why a lease is lost, from the status of the job whose newest lease it is. */
export function lossReason(status: JobStatus | undefined): 'cancelled' | 'expired' | 'lapsed' | 'superseded' {
  switch (status) {
    case 'cancelled':
      return 'cancelled';
    case 'expired':
      return 'expired';
    case 'queued':
    case 'failed':
      return 'lapsed';
    default:
      return 'superseded';
  }
}
