import { command, type Outcome } from '../../../kernel/command.js';
import type {
  AddedPrinter,
  AgentHealth,
  ComputerDescription,
  ComputerEvent,
  DeviceCredential,
  PrinterProperties,
  UnknownJob,
} from './computer.events.js';
import type { Computer } from './computer.state.js';
import type { TextChanges } from './text-settings.js';

type OfComputer<D extends object = object> = { computerId: string } & D;

interface Enrolling {
  readonly accountId: string;
  readonly installationId: string;
  /** `PC-` and 8 upper-case hex digits; ignored for a known computer. */
  readonly friendlyCode: string;
  readonly description: ComputerDescription;
}

/** A known computer gets a new credential; the same one again writes nothing. */
export class EnrollComputer extends command('EnrollComputer')<
  OfComputer<{ enrolling: Enrolling; credential: DeviceCredential }>,
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
  OfComputer<{ session: AgentSession }>,
  ComputerOutcome<'ComputerRevoked' | 'InstallationMismatch' | 'SessionReplaced'>
> {}

export class NoteReplacedSession extends command('NoteReplacedSession')<
  OfComputer<{ sessionId: string }>,
  UnlessRevoked
> {}

/** Hand-offs in the journal of a starting session for jobs without a stream. */
export class ReportUnknownJobs extends command('ReportUnknownJobs')<
  OfComputer<{ jobs: readonly UnknownJob[] }>,
  UnlessRevoked
> {}

/** docs/decisions/080-naming-the-session.md */
export class NoteSessionNaming extends command('NoteSessionNaming')<OfComputer, UnlessRevoked> {}

export class ReportAgentHealth extends command('ReportAgentHealth')<
  OfComputer<{ health: AgentHealth }>,
  UnlessRevoked
> {}

/** An offline computer is online again, and its credential is in use. */
export class RecordAgentCall extends command('RecordAgentCall')<
  OfComputer<{ credentialHash: string }>,
  UnlessRevoked
> {}

/** Takes effect at its first use, but replaces an unused renewal at once. */
export class RenewCredential extends command('RenewCredential')<
  OfComputer<{ credential: DeviceCredential }>,
  ComputerOutcome<'ComputerRevoked' | 'CredentialNotDue'>
> {}

export class MarkComputerOffline extends command('MarkComputerOffline')<OfComputer, ComputerOutcome> {}

export class DisableComputer extends command('DisableComputer')<OfComputer, UnlessRevoked> {}

export class EnableComputer extends command('EnableComputer')<
  {
    computerId: string;
    /** True if the agent called within the presence timeout: the computer is then online at once. */
    present: boolean;
  },
  UnlessRevoked
> {}

/** A name that a person gives; empty = the reported one again. */
export class RenameComputer extends command('RenameComputer')<
  OfComputer<{ displayName: string }>,
  UnlessRevoked
> {}

export class RevokeComputer extends command('RevokeComputer')<
  OfComputer<{ reason: string }>,
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
  UnlessRevoked
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

/** The agent prints without a queue at this address. The same name again changes the address. */
export class AddPrinter extends command('AddPrinter')<
  OfComputer<{ printer: AddedPrinter }>,
  ComputerOutcome<'ComputerRevoked' | 'TooManyAddedPrinters'>
> {}

/** Takes a printer back that was added; others belong to the computer. */
export class RemoveAddedPrinter extends command('RemoveAddedPrinter')<
  OfComputer<{ name: string }>,
  ComputerOutcome<'ComputerRevoked' | 'PrinterNotFound'>
> {}

export interface PrinterSettings {
  readonly enabled?: boolean;
  /** Empty = reset to the detected name. */
  readonly displayName?: string;
  readonly text?: TextChanges;
  readonly paused?: boolean;
}

export class UpdatePrinter extends command('UpdatePrinter')<
  OfComputer<{ printerId: string; settings: PrinterSettings }>,
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
type UnlessRevoked = ComputerOutcome<'ComputerRevoked'>;
