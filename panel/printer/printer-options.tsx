import { useState } from 'react';
import type { Printer } from '../../sdk/src/generated/integration.js';

interface OptionsProps {
  readonly printers: readonly Printer[];
  /** Id of the chosen printer. */
  readonly chosen: string;
  /** Printers that cannot be chosen, shown with their status. */
  readonly others?: readonly Printer[];
}

/** The options of a choice among printers. The chosen one stays among them after it has left the list. */
export function PrinterOptions({ printers, chosen, others = [] }: OptionsProps) {
  const found = printers.find(({ printer_id }) => printer_id === chosen);
  const [kept, setKept] = useState<Printer>();
  if (found && found !== kept) setKept(found);
  const gone = !found && kept?.printer_id === chosen ? kept : undefined;
  return (
    <>
      {printers.map((printer) => (
        <option key={printer.printer_id} value={printer.printer_id}>
          {nameOf(printer)}
        </option>
      ))}
      {others.map((printer) => (
        <option key={printer.printer_id} disabled>
          {`${nameOf(printer)}, ${printer.enabled ? printer.status : 'disabled'}`}
        </option>
      ))}
      {gone && <option value={chosen}>{`${nameOf(gone)}, not ready`}</option>}
    </>
  );
}

const nameOf = ({ name, computer_name }: Printer) => `${name} on ${computer_name}`;
