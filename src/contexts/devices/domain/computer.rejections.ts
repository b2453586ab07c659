import type { Outcome } from '../../../kernel/command.js';
import type { ComputerEvent } from './computer.events.js';
import type { Computer } from './computer.state.js';

/** Why a command to a computer is refused. */
export type ComputerRejection =
  | { readonly code: 'ComputerNotFound' }
  /** Only a new enrolment brings it back. */
  | { readonly code: 'ComputerRevoked' }
  /** The credential is for another installation. */
  | { readonly code: 'InstallationMismatch' }
  | { readonly code: 'PrinterNotFound' }
  /** Two printers of one inventory have the same key. */
  | { readonly code: 'PrinterKeyRepeated'; readonly printerKey: string }
  /** The command brought identities for fewer printers than are new: issue it again with this many. */
  | { readonly code: 'PrinterIdsMissing'; readonly needed: number };

/** The result of a command to a computer that should exist, and may be refused for these reasons too. */
export type ComputerOutcome<Code extends ComputerRejection['code'] = 'ComputerNotFound'> = Outcome<
  Computer,
  ComputerEvent,
  Extract<ComputerRejection, { code: Code | 'ComputerNotFound' }>
>;
