import { Link } from 'wouter';
import type { Printer } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { PrinterOptions } from '../printer/printer-options.js';
import { StandsStill } from '../printer/stands-still.js';

const ALL = { limit: 100, offset: 0 } as const;

interface PrinterProps {
  /** Those that can print. */
  readonly printers: readonly Printer[];
  readonly printerId: string;
  readonly setPrinterId: (printerId: string) => void;
}

/** Chooses a printer, and says before something is sent that it would wait there. */
export function PrinterField({ printers, printerId, setPrinterId }: PrinterProps) {
  const all = useRead('printers', 'listPrinters', { query: ALL }).data?.items ?? [];
  const isOther = ({ printer_id: id, status }: Printer) =>
    status !== 'removed' && id !== printerId && !printers.some(({ printer_id }) => printer_id === id);
  const printer = printers.find(({ printer_id }) => printer_id === printerId);
  return (
    <label className="field">
      Printer
      <select value={printerId} onChange={(event) => setPrinterId(event.target.value)}>
        <PrinterOptions printers={printers} chosen={printerId} others={all.filter(isOther)} />
      </select>
      {printer && <StandsStill printer={printer} />}
      {printers.length === 0 && (
        <small>
          No printer is ready. <Link href="/devices">Devices</Link>
        </small>
      )}
    </label>
  );
}
