import type { AggregateStore } from '../../event-sourcing/index.js';
import type { Account } from '../accounts/index.js';
import { computers, hasFeature, type Computer, type Printer } from '../devices/index.js';
import type { JobDraft, SubmitRejection } from './coordinated.commands.js';
import type { PrinterRef } from './domain/job.events.js';
import { OPTIONS_FEATURE } from './domain/print-options.js';
import { unsupportedOptions } from './option-support.js';
import type { PrinterDirectory } from './ports.js';

export type OpenAccount = Exclude<Account, { status: 'absent' }>;

/** A printer with its computer, as the computer's stream has them. */
export interface PrintTarget {
  readonly computer: Computer;
  readonly printer: Printer;
}

/** Undefined for an unknown printer; one of another account counts as unknown. */
export async function printTarget(
  printers: PrinterDirectory,
  aggregates: AggregateStore,
  { accountId, printerId }: Pick<JobDraft, 'accountId' | 'printerId'>,
): Promise<PrintTarget | undefined> {
  const computerId = await printers.computerOf(printerId);
  if (computerId === undefined) return undefined;
  const { state: computer } = await aggregates.load(computers, computerId);
  const printer = computer.printers.find((one) => one.printerId === printerId);
  return printer && computer.accountId === accountId ? { computer, printer } : undefined;
}

/** Why the printer takes no job now. 403 before 409 (order of checks, docs/reference/errors.md). */
export function closedTarget(
  { printer }: PrintTarget,
  account: OpenAccount,
): { readonly code: 'VirtualPrintersOnly' | 'PrinterNotReady' } | undefined {
  if (account.virtualPrintersOnly && !printer.isVirtual) return { code: 'VirtualPrintersOnly' };
  return printer.status === 'online' ? undefined : { code: 'PrinterNotReady' };
}

export function obstacleAt(
  target: PrintTarget,
  account: OpenAccount,
  { contentType, options }: Pick<JobDraft, 'contentType' | 'options'>,
): SubmitRejection | undefined {
  const closed = closedTarget(target, account);
  if (closed) return closed;
  const { computer, printer } = target;
  const types = printer.capabilities?.contentTypes;
  if (types && !types.includes(contentType)) return { code: 'ContentTypeNotSupported' };
  if (!options) return undefined;
  if (!hasFeature(computer, computer.sessionId, OPTIONS_FEATURE)) return { code: 'AgentTooOld' };
  if (options.unsupported === 'ignore') return undefined;
  const unsupported = unsupportedOptions(options, printer.capabilities);
  return unsupported.length > 0 ? { code: 'OptionNotSupported', unsupported } : undefined;
}

export function printerRef({ computer, printer }: PrintTarget): PrinterRef {
  return {
    printerId: printer.printerId,
    printerCode: printer.printerCode,
    printerName: printer.alias ?? printer.systemName,
    computerId: computer.computerId,
    computerName: computer.name,
  };
}
