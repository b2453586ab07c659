import { Field } from '../../http/validation/field.js';
import {
  boolean,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  reportedText,
  shaped,
  text,
  uuid,
} from '../../http/validation/rules.js';
import {
  BEHIND_AFTER_SECONDS,
  type AgentHealth,
  type ReportedPrinter,
} from '../../contexts/devices/index.js';

/**
 * Maximum size of a journal, of leases and of reports. The largest of them, a hundred reports with texts of escaped
 * characters, takes 320 KB.
 */
export const BATCH_BYTES = 1_048_576;

const optional = { optional: true } as const;
const fence = integer(1, 1_000_000_000);
/** Opaque to agents, so the OpenAPI document does not describe its form. */
const seen = text({ max: 200 });
const SEEN = { optional: true, description: 'The greatest `position` that the agent ever received' } as const;

/** Returned to the agent unchanged and never displayed, so bidirectional controls are allowed. */
const printerKey = { ...text({ max: 200 }), accepts: reportedText({ max: 200 }).accepts };
const busyPrinters = listOf(printerKey, { max: 500 });
const BUSY = { optional: true, description: 'Keys of the printers that get no more leases now' } as const;

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
  @Field(
    listOf(
      object(() => JournalEntry),
      { max: 1000 },
    ),
  )
  journal!: JournalEntry[];
  @Field(seen, SEEN) seen?: string;
}

export class RenewalBody {}

class NamedLease {
  @Field(uuid()) lease_id!: string;
}

export class AgentErrorBody {
  @Field(text({ max: 64, pattern: /^[A-Z0-9_]{1,64}$/ })) code!: string;
  @Field(reportedText({ max: 240 })) message!: string;
  @Field(dateTime()) at!: string;
}

class StuckPrinterBody {
  @Field(printerKey) printer_key!: string;
  @Field(reportedText({ max: 240 })) reason!: string;
  @Field(dateTime()) since!: string;
}

export class HealthBody {
  @Field(integer(0, Number.MAX_SAFE_INTEGER), { description: 'Bytes free for documents' })
  free_bytes!: number;
  @Field(boolean()) low_space!: boolean;
  @Field(integer(0, 1_000_000_000)) unsent_reports!: number;
  @Field(integer(0, 1_000_000_000), { description: 'Age of the oldest unsent report; 0 without one' })
  oldest_report_seconds!: number;
  @Field(object(() => AgentErrorBody), { optional: true })
  last_error?: AgentErrorBody;
  @Field(
    listOf(
      object(() => StuckPrinterBody),
      { max: 20 },
    ),
    { optional: true, description: 'Printers whose spooler makes no progress: the first 20' },
  )
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
  @Field(object(() => HealthBody), { optional: true })
  health?: HealthBody;

  @Field(uuid()) session_id!: string;
  @Field(
    listOf(
      object(() => NamedLease),
      { max: 1000 },
    ),
  )
  leases!: NamedLease[];
  @Field(busyPrinters, BUSY) busy_printers?: string[];
}

class PrinterCapabilitiesBody {
  @Field(listOf(oneOf('pdf', 'raw', 'text'), { max: 3, unique: true })) content_types!: (
    'pdf' | 'raw' | 'text'
  )[];
  @Field(boolean(), { optional: true, nullable: true }) color?: boolean | null;
  @Field(boolean(), { optional: true, nullable: true }) duplex?: boolean | null;
  @Field(listOf(reportedText({ max: 120 }), { max: 100 }), optional) papers?: string[];
}

export class InventoryPrinter {
  @Field(printerKey, { description: "The agent's own stable key of the printer" })
  printer_key!: string;
  @Field(reportedText({ max: 180 })) name!: string;
  @Field(reportedText({ max: 255 }), { optional: true, nullable: true }) driver?: string | null;
  @Field(reportedText({ max: 255 }), { optional: true, nullable: true }) port?: string | null;
  @Field(boolean()) is_default!: boolean;
  @Field(boolean()) is_virtual!: boolean;
  @Field(boolean(), { description: 'Whether the local queue takes jobs' }) online!: boolean;
  @Field(object(() => PrinterCapabilitiesBody), optional) capabilities?: PrinterCapabilitiesBody;
}

export class InventoryBody {
  @Field(
    listOf(
      object(() => InventoryPrinter),
      { max: 500 },
    ),
  )
  printers!: InventoryPrinter[];
}

export class LeaseBody {
  @Field(uuid()) session_id!: string;
  @Field(integer(0, 50), { description: 'How long to wait for work' }) wait_seconds!: number;
  @Field(integer(1, 10)) max!: number;
  @Field(busyPrinters, BUSY) busy_printers?: string[];
  @Field(seen, SEEN) seen?: string;
}

const session = { optional: true, description: 'The session that asks; absent: the current one' } as const;

export class ReleaseBody {
  @Field(uuid(), session) session_id?: string;
}

export class AcceptBody {
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ })) content_hash!: string;
  @Field(uuid(), session) session_id?: string;
}

export class HandoffBody {
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(uuid(), session) session_id?: string;
}

const REPORTS = [
  'spooled',
  'spooler_completed',
  'spooler_failed',
  'spooler_cancelled',
  'spooler_vanished',
  'not_submitted',
  'rejected',
] as const;

export class ReportedEvent {
  @Field(uuid(), { description: 'Made by the agent, the same over repeats' }) event_id!: string;
  @Field(uuid()) job_id!: string;
  @Field(uuid()) lease_id!: string;
  @Field(fence) fence!: number;
  @Field(oneOf(...REPORTS)) type!: (typeof REPORTS)[number];
  @Field(dateTime()) occurred_at!: string;
  @Field(reportedText({ max: 64 }), optional) spooler_provider?: string;
  @Field(reportedText({ max: 128 }), optional) spooler_job_id?: string;
  @Field(text({ max: 64, pattern: /^[A-Z0-9_]{1,64}$/, says: 'must be 1 to 64 of A-Z, 0-9, _' }), optional)
  failure_code?: string;
  @Field(oneOf('temporary', 'permanent', 'ambiguous'), optional) failure_class?:
    'temporary' | 'permanent' | 'ambiguous';
  @Field(reportedText({ max: 240 }), optional) message?: string;
}

/** Each event is validated separately later, so a bad one does not reject the batch. */
export class ReportsBody {
  @Field(uuid(), session) session_id?: string;
  @Field(
    listOf(
      {
        ...shaped({ type: 'object', description: 'A ReportedEvent' }),
        says: 'must be an object',
        accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      },
      { min: 1, max: 100 },
    ),
  )
  events!: object[];
}

/** Converts a line of the agent's inventory to the terms of the devices context. */
export function reportedPrinter(given: InventoryPrinter): ReportedPrinter {
  const { capabilities } = given;
  return {
    printerKey: given.printer_key,
    systemName: given.name,
    driver: given.driver ?? null,
    port: given.port ?? null,
    isDefault: given.is_default,
    isVirtual: given.is_virtual,
    online: given.online,
    capabilities: capabilities
      ? {
          contentTypes: capabilities.content_types,
          color: capabilities.color ?? null,
          duplex: capabilities.duplex ?? null,
          papers: capabilities.papers ?? [],
        }
      : null,
  };
}
