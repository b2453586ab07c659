import type { Outcome } from '../../../kernel/command.js';
import type { ComputerEvent } from './computer.events.js';
import type { Computer } from './computer.state.js';

/** Reasons for refusing a command to a computer. */
export type ComputerRejection =
  | { readonly code: 'ComputerNotFound' }
  /** Only a new enrolment brings it back. */
  | { readonly code: 'ComputerRevoked' }
  /** The credential is for another installation. */
  | { readonly code: 'InstallationMismatch' }
  | { readonly code: 'PrinterNotFound' }
  /** Two printers of one inventory have the same key. */
  | { readonly code: 'PrinterKeyRepeated'; readonly printerKey: string }
  /** The command has ids for too few new printers: repeat it with this many. */
  | { readonly code: 'PrinterIdsMissing'; readonly needed: number };

/** Result of a command to a computer: `ComputerNotFound` and the rejections in `Code`. */
export type ComputerOutcome<Code extends ComputerRejection['code'] = 'ComputerNotFound'> = Outcome<
  Computer,
  ComputerEvent,
  Extract<ComputerRejection, { code: Code | 'ComputerNotFound' }>
>;
