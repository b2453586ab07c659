import { Link } from 'wouter';
import type { Printer } from '../../sdk/src/generated/integration.js';
import { RECENT, useRead } from '../api/reads.js';
import { HeldUp } from './held-up.js';

/** Why the next job would wait at a printer, if it would. */
export function StandsStill({ printer: { printer_id, paused } }: { readonly printer: Printer }) {
  const given = { params: { printer_id }, query: { limit: 1 } };
  const { data, isPlaceholderData } = useRead('queue', 'getPrinterQueue', given, RECENT);
  const heldUpBy = isPlaceholderData ? undefined : data?.held_up_by;
  if (!paused && !heldUpBy) return null;
  return (
    <small>
      {paused && 'It is paused: new jobs wait. '}
      {heldUpBy && (
        <>
          It is behind: <HeldUp job={heldUpBy} />{' '}
        </>
      )}
      <Link href={`/devices/printers/${printer_id}`}>Its queue</Link>
    </small>
  );
}
