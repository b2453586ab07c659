import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { TextSettings } from './text-settings.js';
export type { TextSettings };

export const COMPUTER_STATUSES = ['pending', 'online', 'offline', 'disabled', 'revoked'] as const;
export const PRINTER_STATUSES = ['online', 'offline', 'disabled', 'removed'] as const;

export type ComputerStatus = (typeof COMPUTER_STATUSES)[number];
export type PrinterStatus = (typeof PRINTER_STATUSES)[number];

/** As reported by the agent; null = unknown. */
export interface PrinterCapabilities {
  readonly contentTypes: readonly ('pdf' | 'raw' | 'text')[];
  readonly color: boolean | null;
  readonly duplex: boolean | null;
  /** At most 100, of at most 120 characters each. */
  readonly papers: readonly string[];
  readonly trays?: readonly string[];
  readonly resolutionsDpi?: readonly number[];
  /** Parts of the sheet that the printer cannot print on, in mm. */
  readonly margins?: Margins;
  /** Names of the options that the printer can apply; absent = none. */
  readonly options?: readonly string[];
}

export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface PrinterProperties {
  /** At most 180 characters. */
  readonly systemName: string;
  readonly driver: string | null;
  readonly port: string | null;
  /** Identity of the device behind the queue; absent or null = unknown. */
  readonly deviceIdentity?: string | null;
  readonly isDefault: boolean;
  readonly isVirtual: boolean;
  readonly capabilities: PrinterCapabilities | null;
}

export interface PrinterChanges extends Partial<PrinterProperties> {
  /** The queue was renamed: the same device under another key. */
  readonly printerKey?: string;
  readonly enabled?: boolean;
  /** Chosen by the partner; null = removed. */
  readonly alias?: string | null;
  /** All settings for text; null = none. */
  readonly text?: TextSettings | null;
  /** Jobs wait, and new ones are taken. */
  readonly paused?: boolean;
  /** The agent's last report about the queue, if the status is unchanged. */
  readonly reportedOnline?: boolean;
}

export interface ComputerDescription {
  readonly displayName?: string;
  readonly hostname?: string;
  readonly operatingSystem?: string;
  readonly agentVersion?: string;
  readonly installerVersion?: string;
}

export interface DeviceCredential {
  readonly credentialHash: string;
  readonly credentialExpiresAt: Instant;
}

interface Named {
  readonly name: string;
  /** Printers whose views show the old name; set if the name changes. */
  readonly renames?: readonly string[];
}

/** Effective status, which a change of the computer may also cause. */
interface StatusChange {
  readonly printerId: string;
  readonly previousStatus: PrinterStatus;
  readonly reportedOnline: boolean;
}

export interface UnknownJob {
  readonly jobId: string;
  readonly leaseId: string;
  readonly fence: number;
  readonly phase: 'handing_off' | 'handed_off';
}

export interface AgentHealth {
  /** Free bytes on the volume of the agent's state and documents. */
  readonly freeBytes: number;
  readonly lowSpace: boolean;
  readonly unsentReports: number;
  /** The oldest unsent report is older than `BEHIND_AFTER_SECONDS`. */
  readonly behind: boolean;
  readonly lastError: { readonly code: string; readonly message: string; readonly at: Instant } | null;
  /** Printers whose spooler makes no progress; absent if none. */
  readonly stuckPrinters?: readonly StuckPrinter[];
}

/** `since` is the agent's time. */
export interface StuckPrinter {
  readonly printerKey: string;
  readonly reason: string;
  readonly since: Instant;
}

/** A printer without a queue, which the service adds to a computer. */
export interface AddedPrinter {
  /** At most 180 characters. */
  readonly name: string;
  /** `socket://host:9100`, `ipp://host/path`, `file:/dev/usb/lp0`; at most 255 characters. */
  readonly address: string;
}

export interface ComputerEventData {
  readonly ComputerRegistered: ComputerDescription &
    DeviceCredential &
    Named & {
      readonly computerId: string;
      readonly accountId: string;
      readonly installationId: string;
      readonly friendlyCode: string;
    };
  /** The status becomes `pending`, unless the operator disabled the computer. */
  readonly ComputerReenrolled: ComputerDescription & DeviceCredential & Named;
  /** Replaces an unused credential at once, and the current one when it is first used. */
  readonly DeviceCredentialRenewed: DeviceCredential;
  /** First use of the renewed credential; the older one has ended. */
  readonly DeviceCredentialReplaced: DeviceCredential;
  /** Replaces an older session of the computer and ends `pending`. */
  readonly AgentSessionStarted: Named & {
    readonly sessionId: string;
    /** Absent from older agents and in older events. */
    readonly startId?: string;
    readonly agentVersion: string;
    /** Absent without an installer, and in older events. */
    readonly installerVersion?: string;
    readonly operatingSystem: string;
    readonly hostname: string;
    /** Absent from agents without any, and in older events. */
    readonly features?: readonly string[];
    readonly startedAt?: Instant;
  };
  /** A replaced session still calls, so the newer one is not its restart. Once per session. */
  readonly ReplacedSessionCalled: { readonly sessionId: string };
  /** The journal names a hand-off of an unknown job. Once per job and fence. */
  readonly UnknownJobReported: UnknownJob;
  /** Only for a change that `changesHealth` accepts, not for every heartbeat. */
  readonly AgentHealthChanged: AgentHealth;
  /** The agent names its session in calls for permits, and will from now on. Once per credential. */
  readonly SessionNamingNoted: Record<string, never>;
  /** A person named it; later reports of the agent change no name. Empty `givenName`: they do again. */
  readonly ComputerRenamed: Named & { readonly givenName: string };
  readonly ComputerCameOnline: Record<string, never>;
  readonly ComputerWentOffline: Record<string, never>;
  readonly ComputerDisabled: Record<string, never>;
  /** A separate event follows with the online or offline status. */
  readonly ComputerEnabled: { readonly status: 'pending' | 'offline' };
  readonly ComputerRevoked: { readonly reason: string };
  /** The store was rolled back behind an event that the agent has seen. Once per `seen`. */
  readonly LostEventReported: { readonly seen: string; readonly jobsParked: number };
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
  /** Missing from the inventory. Keeps its id in case it returns. */
  readonly PrinterRemoved: StatusChange;
  readonly PrinterUpdated: {
    readonly printerId: string;
    readonly changes: PrinterChanges;
    /** Time of the inventory; absent for a manual change and in older events. */
    readonly reportedAt?: Instant;
  };
  /** Adds the printer, or changes its address. The agent lists it in a later inventory. */
  readonly PrinterAdded: AddedPrinter;
  readonly AddedPrinterRemoved: { readonly name: string };
  /** The inventory exceeded the budget; request it again at `until`. Null: complete. */
  readonly InventoryDeferred: { readonly until: Instant | null };
}

export type ComputerEvent = EventsOf<ComputerEventData>;
