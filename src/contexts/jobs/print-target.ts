import type { AggregateStore } from '../../event-sourcing/index.js';
import type { Account } from '../accounts/index.js';
import { computers, hasFeature, type Computer, type Printer } from '../devices/index.js';
import type { JobDraft, SubmitRejection } from './coordinated.commands.js';
import type { PrinterRef } from './domain/job.events.js';
import {
  OPTIONS_FEATURE,
  type Paper,
  resolvePaper,
  OPTION_NAMES,
  type OptionName,
  type PrintOptions,
  type UnsupportedOption,
} from './domain/print-options.js';
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
  aggregates: Pick<AggregateStore, 'load'>,
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

type Capabilities = NonNullable<Printer['capabilities']>;
type Value = UnsupportedOption['allowed'][number];

/** The options that the capabilities exclude; unknown capabilities exclude none: then the agent decides. */
export function unsupportedOptions(
  options: PrintOptions,
  capabilities: Capabilities | null,
): readonly UnsupportedOption[] {
  if (!capabilities) return [];
  const given = OPTION_NAMES.filter((option) => options[option] !== undefined);
  return given.flatMap((option) => {
    const allowed = capabilities.options?.includes(option) ? excluded(option, options, capabilities) : [];
    return allowed ? [{ option, allowed }] : [];
  });
}

/** The allowed values, unless the given one is among them or they are not known. */
function excluded(
  option: OptionName,
  { paper, tray, duplex, color, resolution_dpi: dpi }: PrintOptions,
  { papers, trays, resolutionsDpi, ...can }: Capabilities,
): readonly Value[] | undefined {
  switch (option) {
    case 'paper':
      return papers.length === 0 || hasPaper(papers, resolvePaper(paper!)) ? undefined : papers;
    case 'tray':
      return trays?.includes(tray!) === false ? trays : undefined;
    case 'duplex':
      return can.duplex === false && duplex !== 'one-sided' ? ['one-sided'] : undefined;
    case 'color':
      return can.color === false && color === true ? [false] : undefined;
    case 'resolution_dpi':
      return resolutionsDpi?.includes(dpi!) === false ? resolutionsDpi : undefined;
    default:
      return undefined;
  }
}

/** Drivers round sizes, and ISO 216 itself allows 1 to 3 mm. */
const TOLERANCE_MM = 0.5;
const RANGES = ['custom', 'roll'] as const;
const isBound = (name: string) => /^(custom|roll)_(min|max)_/.test(name);

function hasPaper(papers: readonly string[], wanted: Paper): boolean {
  const sheets = papers.filter((name) => !isBound(name));
  if (wanted.name !== undefined && sheets.includes(wanted.name)) return true;
  if (sheets.some((name) => fits(wanted, resolvePaper(name), resolvePaper(name)))) return true;
  return RANGES.some((kind) => {
    const [min, max] = ['min', 'max'].map((end) => papers.find((name) => name.startsWith(`${kind}_${end}_`)));
    return min !== undefined && max !== undefined && fits(wanted, resolvePaper(min), resolvePaper(max));
  });
}

/** False without a size. */
function fits(wanted: Paper, min: Paper, max: Paper): boolean {
  return (['width_mm', 'height_mm'] as const).every((side) => {
    const length = wanted[side] ?? NaN;
    return length >= (min[side] ?? NaN) - TOLERANCE_MM && length <= (max[side] ?? NaN) + TOLERANCE_MM;
  });
}
