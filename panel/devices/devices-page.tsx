import { useCallback, useState } from 'react';
import type { Computer, Printer } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Page } from '../app/page.js';
import { Action, Empty, Read } from '../look/parts.js';
import { ComputerBox } from './computer-box.js';
import { ConnectComputer } from './connect-computer.js';

const NONE: readonly never[] = [];
const ALL = { limit: 100, offset: 0 } as const;

export function DevicesPage() {
  const computers = useRead('computers', 'listComputers', { query: ALL });
  const printers = useRead('printers', 'listPrinters', { query: ALL });
  const overview = useRead('overview', 'getOverview');
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
  const endOf = ({ computer_id }: Computer) =>
    overview.data?.ending_credentials.find((one) => one.computer_id === computer_id)?.credential_expires_at;
  return (
    <Page title="Devices" actions={connect}>
      <Read of={computers}>
        {({ items, total }) => (
          <>
            {connects && <ConnectComputer known={items} onClose={() => setConnects(false)} />}
            {items.length === 0 && <Empty text="No computer yet.">{connect}</Empty>}
            {items.map((computer: Computer) => (
              <ComputerBox
                key={computer.computer_id}
                computer={computer}
                printers={
                  printers.data?.items.filter((one) => one.computer_id === computer.computer_id) ?? []
                }
                waitingOf={waitingOf}
                credentialEnds={endOf(computer)}
                stuck={overview.data?.stuck_printers ?? NONE}
              />
            ))}
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
