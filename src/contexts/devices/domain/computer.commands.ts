import { command, type Outcome } from '../../../kernel/command.js';
import type {
  ComputerDescription,
  ComputerEvent,
  DeviceCredential,
  PrinterProperties,
  UnknownJob,
} from './computer.events.js';
import type { AddPrinter, RemoveAddedPrinter } from './computer.added-printers.js';
import type { RecordAgentCall, RenewCredential } from './computer.credential.js';
import type { NoteSessionNaming, ReportAgentHealth } from './computer.health.js';
import type { Computer } from './computer.state.js';
import type { TextChanges } from './text-settings.js';

interface Enrolling {
  readonly accountId: string;
  readonly installationId: string;
  /** `PC-` and 8 upper-case hex digits; ignored for a known computer. */
  readonly friendlyCode: string;
  readonly description: ComputerDescription;
}

/** A known computer gets a new credential; the same one again writes nothing. */
export class EnrollComputer extends command('EnrollComputer')<
  { computerId: string; enrolling: Enrolling; credential: DeviceCredential },
  Outcome<Computer, ComputerEvent, never>
> {}

export interface AgentSession {
  readonly sessionId: string;
  /** Constant over repeats of one start; absent from older agents. */
  readonly startId?: string;
  readonly installationId: string;
  readonly agentVersion: string;
  readonly installerVersion?: string;
  readonly operatingSystem: string;
  readonly hostname: string;
  /** What the agent can do beyond the first protocol; absent from older agents. */
  readonly features?: readonly string[];
}

/** Replaces the previous session; a repeat of the current start keeps it. */
export class StartAgentSession extends command('StartAgentSession')<
  { computerId: string; session: AgentSession },
  ComputerOutcome<'ComputerRevoked' | 'InstallationMismatch' | 'SessionReplaced'>
> {}

export class NoteReplacedSession extends command('NoteReplacedSession')<
  { computerId: string; sessionId: string },
  ComputerOutcome<'ComputerRevoked'>
> {}

/** Hand-offs in the journal of a starting session for jobs without a stream. */
export class ReportUnknownJobs extends command('ReportUnknownJobs')<
  { computerId: string; jobs: readonly UnknownJob[] },
  ComputerOutcome<'ComputerRevoked'>
> {}

export class MarkComputerOffline extends command('MarkComputerOffline')<
  { computerId: string },
  ComputerOutcome
> {}

export class DisableComputer extends command('DisableComputer')<
  { computerId: string },
  ComputerOutcome<'ComputerRevoked'>
> {}

export class EnableComputer extends command('EnableComputer')<
  {
    computerId: string;
    /** True if the agent called within the presence timeout: the computer is then online at once. */
    present: boolean;
  },
  ComputerOutcome<'ComputerRevoked'>
> {}

/** A name that a person gives; empty = the reported one again. */
export class RenameComputer extends command('RenameComputer')<
  { computerId: string; displayName: string },
  ComputerOutcome<'ComputerRevoked'>
> {}

export class RevokeComputer extends command('RevokeComputer')<
  { computerId: string; reason: string },
  ComputerOutcome
> {}

/** The store has lost an event that the agent has seen; the agent's jobs are parked. */
export class ReportLostEvent extends command('ReportLostEvent')<
  {
    computerId: string;
    /** Position from the agent; later ones compare greater as text. */
    seen: string;
    jobsParked: number;
  },
  ComputerOutcome<'ComputerRevoked'>
> {}

export interface ReportedPrinter extends PrinterProperties {
  /** Stable key of the queue, chosen by the agent. */
  readonly printerKey: string;
  readonly online: boolean;
}

export interface FreshPrinter {
  readonly printerKey: string;
  readonly printerId: string;
  readonly printerCode: string;
}

/** Printers missing from the inventory are removed. Changes beyond the budget wait. */
export class SyncInventory extends command('SyncInventory')<
  {
    computerId: string;
    printers: readonly ReportedPrinter[];
    fresh: readonly FreshPrinter[];
    budget: number;
  },
  ComputerOutcome<'ComputerRevoked' | 'PrinterKeyRepeated' | 'PrinterIdsMissing'>
> {}

export interface PrinterSettings {
  readonly enabled?: boolean;
  /** Empty = reset to the detected name. */
  readonly displayName?: string;
  readonly text?: TextChanges;
  readonly paused?: boolean;
}

export class UpdatePrinter extends command('UpdatePrinter')<
  { computerId: string; printerId: string; settings: PrinterSettings },
  ComputerOutcome<'PrinterNotFound'>
> {}

export type ComputerCommand =
  | EnrollComputer
  | StartAgentSession
  | NoteReplacedSession
  | NoteSessionNaming
  | ReportUnknownJobs
  | ReportAgentHealth
  | RecordAgentCall
  | RenewCredential
  | MarkComputerOffline
  | DisableComputer
  | EnableComputer
  | RevokeComputer
  | RenameComputer
  | ReportLostEvent
  | SyncInventory
  | AddPrinter
  | RemoveAddedPrinter
  | UpdatePrinter;

export type ComputerRejection =
  | { readonly code: 'ComputerNotFound' }
  /** Only a new enrolment reactivates it. */
  | { readonly code: 'ComputerRevoked' }
  | { readonly code: 'InstallationMismatch' }
  | { readonly code: 'SessionReplaced' }
  | { readonly code: 'CredentialNotDue' }
  | { readonly code: 'PrinterNotFound' }
  | { readonly code: 'TooManyAddedPrinters' }
  | { readonly code: 'PrinterKeyRepeated'; readonly printerKey: string }
  /** Repeat the command with this many ids for new printers. */
  | { readonly code: 'PrinterIdsMissing'; readonly needed: number };

type ComputerOutcome<Code extends ComputerRejection['code'] = 'ComputerNotFound'> = Outcome<
  Computer,
  ComputerEvent,
  Extract<ComputerRejection, { code: Code | 'ComputerNotFound' }>
>;
