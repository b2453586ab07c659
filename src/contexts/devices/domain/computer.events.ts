import type { DomainEvent } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export const COMPUTER_STATUSES = ['pending', 'online', 'offline', 'disabled', 'revoked'] as const;
export const PRINTER_STATUSES = ['online', 'offline', 'disabled', 'removed'] as const;

export type ComputerStatus = (typeof COMPUTER_STATUSES)[number];
export type PrinterStatus = (typeof PRINTER_STATUSES)[number];

/** Capabilities of a printer as reported by its agent; null = unknown. */
export interface PrinterCapabilities {
  readonly contentTypes: readonly ('pdf' | 'raw' | 'text')[];
  readonly color: boolean | null;
  readonly duplex: boolean | null;
  /** At most 100, of at most 120 characters each. */
  readonly papers: readonly string[];
}

/** Properties of a printer reported by an agent, except its status. */
export interface PrinterProperties {
  /** The name on the computer; at most 180 characters. */
  readonly systemName: string;
  readonly driver: string | null;
  readonly port: string | null;
  readonly isDefault: boolean;
  readonly isVirtual: boolean;
  readonly capabilities: PrinterCapabilities | null;
}

export interface PrinterChanges extends Partial<PrinterProperties> {
  readonly enabled?: boolean;
  /** The partner's name for it; null = removed. */
  readonly alias?: string | null;
  /** The agent's last report about the queue, if the status is unchanged. */
  readonly reportedOnline?: boolean;
}

/** Details of the computer sent by its agent at the enrolment. */
export interface ComputerDescription {
  readonly displayName?: string;
  readonly hostname?: string;
  readonly operatingSystem?: string;
  readonly agentVersion?: string;
  readonly installerVersion?: string;
}

export interface DeviceCredential {
  /** SHA-256 of the whole credential. */
  readonly credentialHash: string;
  readonly credentialExpiresAt: Instant;
}

/** The displayed name, and the printers whose views show the old one. */
interface Named {
  /** The display name, else the hostname, else the friendly code. */
  readonly name: string;
  /** Known printers, if this event changes the name. */
  readonly renames?: readonly string[];
}

/** A change of a printer's effective status, which a change of its computer may cause. */
interface StatusChange {
  readonly printerId: string;
  readonly previousStatus: PrinterStatus;
  /** The agent's last report about the queue itself. */
  readonly reportedOnline: boolean;
}

/** A line of an agent's journal about a job unknown to the store. */
export interface UnknownJob {
  readonly jobId: string;
  readonly leaseId: string;
  readonly fence: number;
  readonly phase: 'handing_off' | 'handed_off';
}

/** What an agent reports about itself with its heartbeat. */
export interface AgentHealth {
  /** Free bytes where the agent keeps its state and documents. */
  readonly freeBytes: number;
  readonly lowSpace: boolean;
  /** Reports that wait in the agent's outbox. */
  readonly unsentReports: number;
  /** The oldest report has waited for longer than `BEHIND_AFTER_SECONDS`. */
  readonly behind: boolean;
  /** The agent's latest error; `at` by its own clock. */
  readonly lastError: { readonly code: string; readonly message: string; readonly at: Instant } | null;
  /** Printers whose spooler makes no progress; absent without one. */
  readonly stuckPrinters?: readonly StuckPrinter[];
}

/** `since` by the agent's own clock. */
export interface StuckPrinter {
  readonly printerKey: string;
  readonly reason: string;
  readonly since: Instant;
}

export interface ComputerEventData {
  /** A new computer, status `pending`. */
  readonly ComputerRegistered: ComputerDescription &
    DeviceCredential &
    Named & {
      readonly computerId: string;
      readonly accountId: string;
      readonly installationId: string;
      readonly friendlyCode: string;
    };
  /**
   * Enrolled again by the same installation: a new credential, and `pending` unless disabled by the operator.
   */
  readonly ComputerReenrolled: ComputerDescription & DeviceCredential & Named;
  /** A new credential, unused yet: it replaces an unused one, and the current one when it is first used. */
  readonly DeviceCredentialRenewed: DeviceCredential;
  /** The renewed credential was used for the first time: the older one has ended. */
  readonly DeviceCredentialReplaced: DeviceCredential;
  /** An agent started; replaces an older session of the computer. Ends `pending`. */
  readonly AgentSessionStarted: Named & {
    readonly sessionId: string;
    /** Absent from agents that do not name their starts, and in older events. */
    readonly startId?: string;
    readonly agentVersion: string;
    /** Absent from agents that no program installed, and in older events. */
    readonly installerVersion?: string;
    readonly operatingSystem: string;
    readonly hostname: string;
    /** Absent in older events. */
    readonly startedAt?: Instant;
  };
  /**
   * A replaced session made a call, so it is still running and the newer one is not its restart. Stored once
   * per session.
   */
  readonly ReplacedSessionCalled: { readonly sessionId: string };
  /** The agent's journal names a hand-off of a job unknown to the service. Once per job and fence. */
  readonly UnknownJobReported: UnknownJob;
  /** The agent's space, backlog, error code or stuck printers changed. Not stored with every heartbeat. */
  readonly AgentHealthChanged: AgentHealth;
  /** The agent named its session in a call for a permit, so it always does. Once per credential. */
  readonly SessionNamingNoted: Record<string, never>;
  readonly ComputerCameOnline: Record<string, never>;
  readonly ComputerWentOffline: Record<string, never>;
  readonly ComputerDisabled: Record<string, never>;
  /** No longer disabled; a separate event follows with the online or offline status. */
  readonly ComputerEnabled: { readonly status: 'pending' | 'offline' };
  readonly ComputerRevoked: { readonly reason: string };
  /**
   * The store was rolled back: the agent has seen an event that it does not hold. Stored once for each `seen`.
   */
  readonly LostEventReported: { readonly seen: string; readonly jobsParked: number };
  /** A new printer; it starts offline. */
  readonly PrinterDetected: PrinterProperties & {
    readonly printerId: string;
    readonly printerCode: string;
    readonly printerKey: string;
    readonly accountId: string;
    readonly computerId: string;
    readonly computerName: string;
    readonly reportedOnline: boolean;
  };
  readonly PrinterCameOnline: StatusChange;
  readonly PrinterWentOffline: StatusChange;
  readonly PrinterDisabled: StatusChange;
  /** Missing from the inventory. It keeps its id in case it returns. */
  readonly PrinterRemoved: StatusChange;
  readonly PrinterUpdated: {
    readonly printerId: string;
    readonly changes: PrinterChanges;
    /** Time of the inventory; absent for a change by a person, and in older events. */
    readonly reportedAt?: Instant;
  };
  /**
   * The last inventory had more changes than a computer may make in a minute: at `until` the agent is asked for it
   * again. Null: nothing is missing any more.
   */
  readonly InventoryDeferred: { readonly until: Instant | null };
}

/** Events of a computer and its printers, which share a stream. */
export type ComputerEvent = {
  [T in keyof ComputerEventData]: DomainEvent & { readonly type: T; readonly data: ComputerEventData[T] };
}[keyof ComputerEventData];
