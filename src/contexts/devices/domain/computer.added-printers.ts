import { command, type Outcome, type RejectionOf } from '../../../kernel/command.js';
import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { sha256 } from '../../../kernel/ids.js';
import type { AddedPrinter, ComputerEvent } from './computer.events.js';
import type { Computer } from './computer.state.js';

const MAX_ADDED_PRINTERS = 100;

type Refused<Code extends string> = {
  readonly code: 'ComputerNotFound' | 'ComputerRevoked' | Code;
};

/** The agent prints without a queue at this address. The same name again changes the address. */
export class AddPrinter extends command('AddPrinter')<
  { computerId: string; printer: AddedPrinter },
  Outcome<Computer, ComputerEvent, Refused<'TooManyAddedPrinters'>>
> {}

/** Takes a printer back that was added; others belong to the computer. */
export class RemoveAddedPrinter extends command('RemoveAddedPrinter')<
  { computerId: string; name: string },
  Outcome<Computer, ComputerEvent, Refused<'PrinterNotFound'>>
> {}

export function addPrinter(
  { addedPrinters }: Computer,
  { printer: { name, address } }: AddPrinter,
): Decision<ComputerEvent, Exclude<RejectionOf<AddPrinter>, Refused<never>>> {
  const before = addedPrinters.find((one) => one.name === name);
  if (before?.address === address) return accept();
  if (!before && addedPrinters.length >= MAX_ADDED_PRINTERS) return reject({ code: 'TooManyAddedPrinters' });
  return accept({ type: 'PrinterAdded', data: { name, address } });
}

export function removeAddedPrinter(
  { addedPrinters }: Computer,
  { name }: RemoveAddedPrinter,
): Decision<ComputerEvent, { readonly code: 'PrinterNotFound' }> {
  if (!addedPrinters.some((one) => one.name === name)) return reject({ code: 'PrinterNotFound' });
  return accept({ type: 'AddedPrinterRemoved', data: { name } });
}

/** Tells an agent whether the list is the one that it keeps. */
export function versionOfAdded({ addedPrinters }: Computer): string {
  return sha256(JSON.stringify(addedPrinters.map(({ name, address }) => [name, address]))).slice(0, 16);
}
