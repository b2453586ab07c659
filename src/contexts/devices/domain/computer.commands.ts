import { command, type Outcome } from '../../../kernel/command.js';
import type {
  ComputerDescription,
  ComputerEvent,
  DeviceCredential,
  PrinterProperties,
  UnknownJob,
} from './computer.events.js';
import type { RecordAgentCall, RenewCredential } from './computer.credential.js';
import type { NoteSessionNaming, ReportAgentHealth } from './computer.health.js';
import type { Computer } from './computer.state.js';

/** The enrolling account, the installation that identifies the computer, and a code for a new computer. */
interface Enrolling {
  readonly accountId: string;
  readonly installationId: string;
  /** `PC-` and 8 upper-case hex digits; a known computer keeps its own. */
  readonly friendlyCode: string;
  readonly description: ComputerDescription;
}

/** Registers a new computer, or gives a known one a new credential. A repeat with the same one writes nothing. */
export class EnrollComputer extends command('EnrollComputer')<
  { computerId: string; enrolling: Enrolling; credential: DeviceCredential },
  Outcome<Computer, ComputerEvent, never>
> {}

export interface AgentSession {
  readonly sessionId: string;
  /** Made by the agent, the same over repeats of one start. Older agents give none. */
  readonly startId?: string;
  readonly installationId: string;
  readonly agentVersion: string;
  /** Of the program that installed the agent, if it says so. */
  readonly installerVersion?: string;
  readonly operatingSystem: string;
  readonly hostname: string;
}

/** Starts a session, which replaces the previous one. A repeat of the current start keeps the session of the state. */
export class StartAgentSession extends command('StartAgentSession')<
  { computerId: string; session: AgentSession },
  ComputerOutcome<'ComputerRevoked' | 'InstallationMismatch' | 'SessionReplaced'>
> {}

/** Records a call of a replaced session. Does nothing for a session that is not remembered. */
export class NoteReplacedSession extends command('NoteReplacedSession')<
  { computerId: string; sessionId: string },
  ComputerOutcome<'ComputerRevoked'>
> {}

/** Records hand-offs in the journal of a starting session for jobs without a stream. */
export class ReportUnknownJobs extends command('ReportUnknownJobs')<
  { computerId: string; jobs: readonly UnknownJob[] },
  ComputerOutcome<'ComputerRevoked'>
> {}

/** Marks the computer offline after the agent's silence. */
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

/** Ends its credential and session for good; only a new enrolment reactivates it. */
export class RevokeComputer extends command('RevokeComputer')<
  { computerId: string; reason: string },
  ComputerOutcome
> {}

/** Records that the agent has seen an event which the store has lost, and that the agent's jobs are parked. */
export class ReportLostEvent extends command('ReportLostEvent')<
  {
    computerId: string;
    /** The position sent by the agent; later ones compare greater as text. */
    seen: string;
    jobsParked: number;
  },
  ComputerOutcome<'ComputerRevoked'>
> {}

export interface ReportedPrinter extends PrinterProperties {
  /** The agent's own stable key of the queue. */
  readonly printerKey: string;
  readonly online: boolean;
}

/** Id for the printer of this key, if it is new. */
export interface FreshPrinter {
  readonly printerKey: string;
  readonly printerId: string;
  /** `PR-` and 8 upper-case hex digits. */
  readonly printerCode: string;
}

/** The complete inventory; printers missing from it are removed. Changes beyond the budget wait. */
export class SyncInventory extends command('SyncInventory')<
  {
    computerId: string;
    printers: readonly ReportedPrinter[];
    /** One for each unknown printer within the budget; further ones are ignored. */
    fresh: readonly FreshPrinter[];
    budget: number;
  },
  ComputerOutcome<'ComputerRevoked' | 'PrinterKeyRepeated' | 'PrinterIdsMissing'>
> {}

export interface PrinterSettings {
  readonly enabled?: boolean;
  /** Empty = the detected name again. */
  readonly displayName?: string;
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
  | ReportLostEvent
  | SyncInventory
  | UpdatePrinter;

/** Reasons for refusing a command to a computer. */
export type ComputerRejection =
  | { readonly code: 'ComputerNotFound' }
  /** Only a new enrolment brings it back. */
  | { readonly code: 'ComputerRevoked' }
  /** The credential is for another installation. */
  | { readonly code: 'InstallationMismatch' }
  /** A repeat of a start whose session a newer one has replaced. */
  | { readonly code: 'SessionReplaced' }
  /** The credential ends in more than 30 days. */
  | { readonly code: 'CredentialNotDue' }
  | { readonly code: 'PrinterNotFound' }
  /** Two printers of one inventory have the same key. */
  | { readonly code: 'PrinterKeyRepeated'; readonly printerKey: string }
  /** The command has ids for too few new printers: repeat it with this many. */
  | { readonly code: 'PrinterIdsMissing'; readonly needed: number };

/** Result of a command to a computer: `ComputerNotFound` and the rejections in `Code`. */
type ComputerOutcome<Code extends ComputerRejection['code'] = 'ComputerNotFound'> = Outcome<
  Computer,
  ComputerEvent,
  Extract<ComputerRejection, { code: Code | 'ComputerNotFound' }>
>;
