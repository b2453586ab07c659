import { useCallback, useState } from 'react';
import type { Computer, Printer } from '../../sdk/src/generated/integration.js';
import { Link } from 'wouter';
import { RECENT, useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { useFilters } from '../app/address.js';
import { Page } from '../app/page.js';
import { Action, Empty, Read } from '../look/parts.js';
import { ComputerBox } from './computer-box.js';
import { ConnectComputer } from './connect-computer.js';
import { onlyOf } from './only.js';

const NONE: readonly never[] = [];
const ONLY = ['only'] as const;
const ALL = { limit: 100, offset: 0 } as const;

export function DevicesPage() {
  const computers = useRead('computers', 'listComputers', { query: ALL });
  const printers = useRead('printers', 'listPrinters', { query: ALL });
  const overview = useRead('overview', 'getOverview', {}, RECENT);
  const [{ only: kind }] = useFilters('/devices', ONLY);
  const only = onlyOf(kind, overview.data);
  const missingRole = useMissingRole('computers:write');
  const [connects, setConnects] = useState(false);
  const connect = (
    <Action main missingRole={missingRole} onClick={() => setConnects(true)}>
      Connect a computer
    </Action>
  );
  const waiting = overview.data?.waiting;
  const waitingOf = useCallback(
    ({ printer_id }: Printer) => waiting?.find((one) => one.printer_id === printer_id)?.count ?? 0,
    [waiting],
  );
  const behind = overview.data?.printers_behind ?? NONE;
  const listed = printers.data?.items ?? NONE;
  const shown = only ? listed.filter(only.isShown) : listed;
  const endOf = ({ computer_id }: Computer) =>
    overview.data?.ending_credentials.find((one) => one.computer_id === computer_id)?.credential_expires_at;
  return (
    <Page title="Devices" actions={connect}>
      {/* Shown together with the printers and what is said of them, so that no computer moves when these arrive. */}
      <Read of={printers.isPending || overview.isPending ? { ...computers, data: undefined } : computers}>
        {({ items, total }) => (
          <>
            {connects && <ConnectComputer known={items} onClose={() => setConnects(false)} />}
            {items.length === 0 && <Empty text="No computer yet.">{connect}</Empty>}
            {only && (
              <p>
                {only.text}
                {shown.length === 0 ? ': none now' : ''}. <Link href="/devices">Show all devices</Link>
              </p>
            )}
            {items.map((computer: Computer) => {
              const own = shown.filter((one) => one.computer_id === computer.computer_id);
              return only && own.length === 0 ? null : (
                <ComputerBox
                  key={computer.computer_id}
                  computer={computer}
                  printers={own}
                  waitingOf={waitingOf}
                  credentialEnds={endOf(computer)}
                  stuck={overview.data?.stuck_printers ?? NONE}
                  behind={behind.filter(({ printer_id }) => own.some((one) => one.printer_id === printer_id))}
                />
              );
            })}
            {total > items.length && (
              <p className="quiet">
                The newest {items.length} of {total} are shown.
              </p>
            )}
          </>
        )}
      </Read>
    </Page>
  );
}
