import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type {
  ComputerDescription,
  ComputerEvent,
  DeviceCredential,
  PrinterProperties,
  UnknownJob,
} from './computer.events.js';
import type { ComputerOutcome } from './computer.rejections.js';
import type { Computer } from './computer.state.js';

/** Who enrols: the account, the installation that a computer is known by, and a code for a new computer. */
export interface Enrolling {
  readonly accountId: string;
  readonly installationId: string;
  /** `PC-` and 8 upper-case hex digits; a computer that is known keeps its own. */
  readonly friendlyCode: string;
  readonly description: ComputerDescription;
}

/**
 * Registers a new computer, or gives a known one a new credential. Repeating it with the same
 * credential writes nothing.
 */
export class EnrollComputer extends Command<Outcome<Computer, ComputerEvent, never>> {
  readonly kind = 'EnrollComputer';
  constructor(
    readonly computerId: string,
    readonly enrolling: Enrolling,
    readonly credential: DeviceCredential,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface AgentSession {
  readonly sessionId: string;
  readonly installationId: string;
  readonly agentVersion: string;
  readonly operatingSystem: string;
  readonly hostname: string;
}

/** The newest session is the one that counts. */
export class StartAgentSession extends Command<ComputerOutcome<'ComputerRevoked' | 'InstallationMismatch'>> {
  readonly kind = 'StartAgentSession';
  constructor(
    readonly computerId: string,
    readonly session: AgentSession,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** A call named a session that a newer one replaced. Harmless for a session that is not remembered. */
export class NoteReplacedSession extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'NoteReplacedSession';
  constructor(
    readonly computerId: string,
    readonly sessionId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The journal of a starting session names hand-offs of jobs whose streams do not exist. */
export class ReportUnknownJobs extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'ReportUnknownJobs';
  constructor(
    readonly computerId: string,
    readonly jobs: readonly UnknownJob[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent has called: an offline computer is online again. */
export class SeeComputer extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'SeeComputer';
  constructor(
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent has been silent for too long. */
export class MarkComputerOffline extends Command<ComputerOutcome> {
  readonly kind = 'MarkComputerOffline';
  constructor(
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class DisableComputer extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'DisableComputer';
  constructor(
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class EnableComputer extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'EnableComputer';
  constructor(
    readonly computerId: string,
    /** Whether the agent called within the presence timeout: if so, the computer is online at once. */
    readonly present: boolean,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Its credential and session die; only a new enrolment brings it back. */
export class RevokeComputer extends Command<ComputerOutcome> {
  readonly kind = 'RevokeComputer';
  constructor(
    readonly computerId: string,
    readonly reason: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Its agent has seen an event that the store has lost, and its jobs are parked. */
export class ReportLostEvent extends Command<ComputerOutcome<'ComputerRevoked'>> {
  readonly kind = 'ReportLostEvent';
  constructor(
    readonly computerId: string,
    /** The position that the agent sent; later ones compare greater as text. */
    readonly seen: string,
    readonly jobsParked: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface ReportedPrinter extends PrinterProperties {
  /** The agent's own stable name of the queue. */
  readonly printerKey: string;
  readonly online: boolean;
}

/** The identity that the printer of this key gets if it is new. */
export interface FreshPrinter {
  readonly printerKey: string;
  readonly printerId: string;
  /** `PR-` and 8 upper-case hex digits. */
  readonly printerCode: string;
}

/** The whole inventory of the computer; what is not in it is gone. */
export class SyncInventory extends Command<
  ComputerOutcome<'ComputerRevoked' | 'PrinterKeyRepeated' | 'PrinterIdsMissing'>
> {
  readonly kind = 'SyncInventory';
  constructor(
    readonly computerId: string,
    readonly printers: readonly ReportedPrinter[],
    /** One for each printer that is not known yet; more do no harm. */
    readonly fresh: readonly FreshPrinter[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface PrinterWish {
  readonly enabled?: boolean;
  /** Empty = the detected name again. */
  readonly displayName?: string;
}

export class UpdatePrinter extends Command<ComputerOutcome<'PrinterNotFound'>> {
  readonly kind = 'UpdatePrinter';
  constructor(
    readonly computerId: string,
    readonly printerId: string,
    readonly wish: PrinterWish,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type ComputerCommand =
  | EnrollComputer
  | StartAgentSession
  | NoteReplacedSession
  | ReportUnknownJobs
  | SeeComputer
  | MarkComputerOffline
  | DisableComputer
  | EnableComputer
  | RevokeComputer
  | ReportLostEvent
  | SyncInventory
  | UpdatePrinter;
