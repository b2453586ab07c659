import type { DomainEvent } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export const COMPUTER_STATUSES = ['pending', 'online', 'offline', 'disabled', 'revoked'] as const;
export const PRINTER_STATUSES = ['online', 'offline', 'disabled', 'removed'] as const;

export type ComputerStatus = (typeof COMPUTER_STATUSES)[number];
export type PrinterStatus = (typeof PRINTER_STATUSES)[number];

/** What a printer can do, as its agent reports it; null = not known. */
export interface PrinterCapabilities {
  readonly contentTypes: readonly ('pdf' | 'raw' | 'text')[];
  readonly color: boolean | null;
  readonly duplex: boolean | null;
  /** At most 100, of at most 120 characters each. */
  readonly papers: readonly string[];
}

/** The properties of a printer that an agent reports and that are not its status. */
export interface PrinterProperties {
  /** As the computer calls it; at most 180 characters. */
  readonly systemName: string;
  readonly driver: string | null;
  readonly port: string | null;
  readonly isDefault: boolean;
  readonly isVirtual: boolean;
  readonly capabilities: PrinterCapabilities | null;
}

export interface PrinterChanges extends Partial<PrinterProperties> {
  readonly enabled?: boolean;
  /** The partner's name for it; null = none any more. */
  readonly alias?: string | null;
  /** The agent's last word, where it changes nothing about the status. */
  readonly reportedOnline?: boolean;
}

/** What an agent said of its computer when it enrolled. */
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

/** The name that people see, and the printers whose views show the old one. */
interface Named {
  /** The display name, else the hostname, else the friendly code. */
  readonly name: string;
  /** Known printers, if this event changes the name. */
  readonly renames?: readonly string[];
}

/** A change of a printer's effective status, also through its computer. */
interface StatusChange {
  readonly printerId: string;
  readonly previousStatus: PrinterStatus;
  /** The agent's last word about the queue itself. */
  readonly reportedOnline: boolean;
}

/** A line of an agent's journal about a job that the store has never held, or has lost. */
export interface UnknownJob {
  readonly jobId: string;
  readonly leaseId: string;
  readonly fence: number;
  readonly phase: 'handing_off' | 'handed_off';
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
  /** The same installation again: a new credential, and `pending` unless the operator disabled it. */
  readonly ComputerReenrolled: ComputerDescription & DeviceCredential & Named;
  /** An agent started; an older session of the computer is replaced. Ends `pending`. */
  readonly AgentSessionStarted: Named & {
    readonly sessionId: string;
    readonly agentVersion: string;
    readonly operatingSystem: string;
    readonly hostname: string;
    /** Absent on events stored before it was kept. */
    readonly startedAt?: Instant;
  };
  /** A replaced session made a call, so it still runs: the newer one is not its restart. Once per session. */
  readonly ReplacedSessionCalled: { readonly sessionId: string };
  /** The agent's journal names a hand-off of a job that the service does not know. Once per job and fence. */
  readonly UnknownJobReported: UnknownJob;
  readonly ComputerCameOnline: Record<string, never>;
  readonly ComputerWentOffline: Record<string, never>;
  readonly ComputerDisabled: Record<string, never>;
  /** No longer disabled; whether it is online follows as an event of its own. */
  readonly ComputerEnabled: { readonly status: 'pending' | 'offline' };
  readonly ComputerRevoked: { readonly reason: string };
  /** The store went back in time: the agent has seen an event that it does not hold. Stored once for each `seen`. */
  readonly LostEventReported: { readonly seen: string; readonly jobsParked: number };
  /** A printer never seen before; it starts offline. */
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
  /** Gone from the inventory. It keeps its id for the case that it comes back. */
  readonly PrinterRemoved: StatusChange;
  readonly PrinterUpdated: { readonly printerId: string; readonly changes: PrinterChanges };
}

/** What happens to a computer and its printers, which share a stream. */
export type ComputerEvent = {
  [T in keyof ComputerEventData]: DomainEvent & { readonly type: T; readonly data: ComputerEventData[T] };
}[keyof ComputerEventData];
