import type {
  ComputerEventData,
  ComputerStatus,
  PrinterProperties,
  PrinterStatus,
} from './computer.events.js';

/** A printer of a computer. */
export interface Printer extends PrinterProperties {
  readonly printerId: string;
  readonly printerCode: string;
  readonly printerKey: string;
  /** Null = shown by its system name. */
  readonly alias: string | null;
  readonly enabled: boolean;
  /** The agent's last report about the queue itself. */
  readonly reportedOnline: boolean;
  /** Missing from the agent's inventory. */
  readonly removed: boolean;
  /** The effective status after the last status event. */
  readonly status: PrinterStatus;
}

/** Removed and disabled win; otherwise a printer is online only if both its computer and its queue are. */
export function effectiveStatus(
  printer: Pick<Printer, 'removed' | 'enabled' | 'reportedOnline'>,
  computer: ComputerStatus | 'absent',
): PrinterStatus {
  if (printer.removed) return 'removed';
  if (!printer.enabled || computer === 'disabled' || computer === 'revoked') return 'disabled';
  return computer === 'online' && printer.reportedOnline ? 'online' : 'offline';
}

export function detected(data: ComputerEventData['PrinterDetected']): Printer {
  const { accountId: _account, computerId: _computer, computerName: _name, ...printer } = data;
  return { ...printer, alias: null, enabled: true, removed: false, status: 'offline' };
}

export function inStatus(
  printer: Printer,
  status: PrinterStatus,
  { reportedOnline }: { readonly reportedOnline: boolean },
): Printer {
  return { ...printer, status, removed: status === 'removed', reportedOnline };
}
