import { type AgentHealth, BEHIND_AFTER_SECONDS } from '../../../contexts/devices/index.js';
import type { JobStatus } from '../../../contexts/jobs/index.js';
import { Field, optional } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  integer,
  listOf,
  object,
  objects,
  oneOf,
  reportedText,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import {
  ADDED,
  addedVersion,
  BUSY,
  busyPrinters,
  CREDENTIAL_ENDS,
  errorCode,
  fence,
  ID,
  position,
  POSITION,
  printerKey,
  SEEN,
  SESSION_POSITION,
} from '../agent.fields.js';

/** A line of the agent's journal about one job (docs/agent-protocol.md, sessions). */
export class JournalEntry {
  @Field(uuid()) job_id!: string;
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(oneOf('leased', 'accepted', 'handing_off', 'handed_off')) phase!:
    'leased' | 'accepted' | 'handing_off' | 'handed_off';
}

export class StartSessionBody {
  @Field(uuid(), {
    optional: true,
    description: 'Made by the agent for each start, the same over repeats: a repeat answers the same session',
  })
  start_id?: string;
  @Field(uuid()) installation_id!: string;
  @Field(reportedText({ max: 40 })) agent_version!: string;
  @Field(reportedText({ max: 40 }), {
    optional: true,
    description: 'Of the program that installed the agent',
  })
  installer_version?: string;
  @Field(reportedText({ max: 120 })) operating_system!: string;
  @Field(reportedText({ max: 255 })) hostname!: string;
  @Field(objects(() => JournalEntry, 1000))
  journal!: JournalEntry[];
  @Field(position, SEEN) seen?: string;
  @Field(listOf(text({ max: 40 }), { max: 20 }), {
    optional: true,
    description: 'What the agent can do beyond the first protocol',
  })
  features?: string[];

  static readonly example: StartSessionBody = {
    start_id: ID,
    installation_id: ID,
    agent_version: '2.0.59',
    operating_system: 'Windows 11',
    hostname: 'FRONT-DESK',
    journal: [{ job_id: ID, lease_id: ID, fence: 1, phase: 'accepted' }],
    seen: SESSION_POSITION,
    features: ['options/1'],
  };
}

export class RenewalBody {}

class NamedLease {
  @Field(uuid()) lease_id!: string;
}

export class AgentErrorBody {
  @Field(errorCode) code!: string;
  @Field(reportedText({ max: 240 })) message!: string;
  @Field(dateTime()) at!: string;
}

class StuckPrinterBody {
  @Field(printerKey) printer_key!: string;
  @Field(reportedText({ max: 240 })) reason!: string;
  @Field(dateTime()) since!: string;
}

export class HealthBody {
  @Field(count, { description: 'Bytes free for documents' })
  free_bytes!: number;
  @Field(boolean()) low_space!: boolean;
  @Field(integer(0, 1_000_000_000)) unsent_reports!: number;
  @Field(integer(0, 1_000_000_000), { description: 'Age of the oldest unsent report; 0 without one' })
  oldest_report_seconds!: number;
  @Field(object(() => AgentErrorBody), optional)
  last_error?: AgentErrorBody;
  @Field(objects(() => StuckPrinterBody, 20), {
    optional: true,
    description: 'Printers whose spooler makes no progress: the first 20',
  })
  stuck_printers?: StuckPrinterBody[];
}

export function reportedHealth(body: HealthBody): AgentHealth {
  return {
    freeBytes: body.free_bytes,
    lowSpace: body.low_space,
    unsentReports: body.unsent_reports,
    behind: body.oldest_report_seconds > BEHIND_AFTER_SECONDS,
    lastError: body.last_error ? { ...body.last_error } : null,
    ...(body.stuck_printers && {
      stuckPrinters: body.stuck_printers.map(({ printer_key, reason, since }) => ({
        printerKey: printer_key,
        reason,
        since,
      })),
    }),
  };
}

export class HeartbeatBody {
  @Field(object(() => HealthBody), optional)
  health?: HealthBody;

  @Field(uuid()) session_id!: string;
  @Field(objects(() => NamedLease, 1000))
  leases!: NamedLease[];
  @Field(busyPrinters, BUSY) busy_printers?: string[];

  static readonly example: HeartbeatBody = {
    session_id: ID,
    leases: [{ lease_id: ID }],
    health: {
      free_bytes: 48_000_000_000,
      low_space: false,
      unsent_reports: 0,
      oldest_report_seconds: 0,
      stuck_printers: [
        { printer_key: 'usb-001', reason: 'no progress for 60 s', since: '2026-11-21T11:59:00.000Z' },
      ],
    },
    busy_printers: ['usb-001'],
  };
}

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
  @Field(objects(() => ReconciledJob, 1000))
  reconcile!: ReconciledJob[];
  @Field(dateTime(), { description: 'The end of the credential' }) credential_expires_at!: string;
  @Field(addedVersion, ADDED) added_printers?: string;

  static readonly example: StartedSession = {
    session_id: ID,
    computer_id: ID,
    position: SESSION_POSITION,
    config: {
      poll_wait_seconds: 25,
      heartbeat_seconds: 20,
      lease_seconds: 60,
      max_leases: 64,
      max_leases_per_printer: 4,
    },
    reconcile: [{ job_id: ID, fence: 1, verdict: 'continue' }],
    credential_expires_at: CREDENTIAL_ENDS,
  };
}

export class RenewedCredential {
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) device_credential!: string;
  @Field(dateTime()) credential_expires_at!: string;

  static readonly example: RenewedCredential = {
    device_credential: 'svc_device_live_…',
    credential_expires_at: CREDENTIAL_ENDS,
  };
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
  @Field(objects(() => RenewedLease, 1000))
  renewed!: RenewedLease[];
  @Field(objects(() => LostLease, 1000))
  lost!: LostLease[];
  @Field(boolean(), { description: 'Send the whole inventory again' }) resync_inventory!: boolean;
  @Field(constant(true), { optional: true, description: 'The credential ends within 30 days: renew it' })
  renew_credential?: true;
  @Field(addedVersion, ADDED) added_printers?: string;

  static readonly example: HeartbeatAnswer = {
    renewed: [{ lease_id: ID, lease_expires_at: '2026-11-21T12:01:00.000Z' }],
    lost: [],
    resync_inventory: false,
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
