import { useMemo, useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import type { Printer } from '../../sdk/src/generated/integration.js';
import type { StuckPrinter } from '../../sdk/src/generated/panel.js';
import { useChange } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import type { Tone } from '../look/job-status.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Dialog, Failed, FormButtons } from '../look/dialogs.js';
import { ActionMenu } from '../look/menu.js';
import { Lasting, NoValue, Status, Text } from '../look/parts.js';
import { TextSettings } from './text-settings.js';

/** A paused printer is shown as such while it could print. */
export function printerStatus({ status, paused }: Printer): { readonly tone: Tone; readonly word: string } {
  return paused && status === 'online'
    ? { tone: 'off', word: 'paused' }
    : { tone: TONES[status], word: status };
}

const TONES: Readonly<Record<Printer['status'], Tone>> = {
  online: 'done',
  offline: 'failed',
  disabled: 'off',
  removed: 'off',
};

interface PrinterTableProps {
  readonly printers: readonly Printer[];
  readonly waitingOf: (printer: Printer) => number;
  /** Printers of the account whose spooler makes no progress. */
  readonly stuck: readonly StuckPrinter[];
}

/** The printers of a computer. */
export function PrinterTable({ printers, waitingOf, stuck }: PrinterTableProps) {
  const columns = useMemo(() => columnsOf(waitingOf, stuck), [waitingOf, stuck]);
  return (
    <DataTable
      caption="Printers"
      captionHidden
      columns={columns}
      rows={printers}
      idOf={({ printer_id }) => printer_id}
      empty={<p className="quiet">No printers.</p>}
    />
  );
}

function columnsOf(
  waitingOf: PrinterTableProps['waitingOf'],
  stuck: readonly StuckPrinter[],
): readonly DataColumn<Printer>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 160,
      grow: 2,
      cell: ({ printer_id, name, is_default }) => (
        <>
          <Link href={`/devices/printers/${printer_id}`}>
            <bdi>{name}</bdi>
          </Link>{' '}
          {is_default && <span className="quiet">(default)</span>}
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      width: 110,
      cell: (printer) => <Status {...printerStatus(printer)} />,
    },
    ...(stuck.length === 0 ? [] : [progressColumn(stuck)]),
    {
      ...{ id: 'driver', header: 'Driver', width: 120, grow: 2, priority: 4 },
      cell: ({ driver }) => <Text text={driver} />,
    },
    {
      ...{ id: 'port', header: 'Port', width: 100, grow: 1, priority: 5 },
      cell: ({ port }) => <Text text={port} />,
    },
    {
      ...{ id: 'waiting', header: 'Waiting', width: 110, priority: 2, align: 'end' },
      cell: (printer) => (
        <Link href={`/devices/printers/${printer.printer_id}`}>{queued(waitingOf(printer))}</Link>
      ),
    },
    { id: 'actions', header: '', width: 48, cell: (printer) => <PrinterActions printer={printer} /> },
  ];
}

/** Says what is counted: the page of the printer counts leased jobs too. */
const queued = (count: number) => (count === 0 ? '0' : `${count} queued`);

function progressColumn(stuck: readonly StuckPrinter[]): DataColumn<Printer> {
  return {
    ...{ id: 'stuck', header: 'Progress', width: 150, grow: 2, priority: 3 },
    cell: ({ printer_id }) => <Progress stuck={stuck.find((one) => one.printer_id === printer_id)} />,
  };
}

function Progress({ stuck }: { readonly stuck: StuckPrinter | undefined }) {
  if (!stuck) return <NoValue />;
  return (
    <span className="text-failed">
      Stuck <Lasting since={stuck.since} />: <Text text={stuck.reason} />
    </span>
  );
}

/** The settings of a printer. */
export function PrinterActions({ printer }: { readonly printer: Printer }) {
  const missingRole = useMissingRole('panel:printers');
  const { printer_id, name, enabled } = printer;
  const update = useChange('updatePrinter', 'printers');
  const [dialog, setDialog] = useState<'rename' | 'text'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          {
            label: enabled ? 'Disable' : 'Enable',
            missingRole,
            onSelect: () => update.mutate({ params: { printer_id }, body: { enabled: !enabled } }),
          },
          { label: 'Rename…', missingRole, onSelect: () => setDialog('rename') },
          { label: 'Text…', missingRole, onSelect: () => setDialog('text') },
        ]}
      />
      {dialog === 'rename' && <Rename printer={printer} onClose={close} />}
      {dialog === 'text' && <TextSettings printer={printer} onClose={close} />}
      <Failed of={update} />
    </>
  );
}

function Rename({ printer, onClose }: { readonly printer: Printer; readonly onClose: () => void }) {
  const update = useChange('updatePrinter', 'printers');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const display_name = String(new FormData(event.currentTarget).get('name')).trim();
    update.mutate(
      { params: { printer_id: printer.printer_id }, body: { display_name } },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog title="Rename the printer" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" maxLength={180} defaultValue={printer.name} />
          <small>Empty: the name that the computer gives it</small>
        </label>
        <FormButtons action="Rename" error={update.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
