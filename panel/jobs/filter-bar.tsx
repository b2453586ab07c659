import type { FormEvent, RefObject } from 'react';
import { useRead } from '../api/reads.js';
import { JOB_STATUS } from '../look/job-status.js';
import { RangeFields } from '../look/range-fields.js';
import type { JobFilters } from './filters.js';

const ALL_PRINTERS = { limit: 100, offset: 0 } as const;

interface FilterBarProps {
  readonly filters: JobFilters;
  readonly change: (changes: Partial<JobFilters>) => void;
  /** The search box, for the key that goes there. */
  readonly box: RefObject<HTMLInputElement | null>;
}

/** One box for what people know of a job, and what narrows it. */
export function FilterBar({ filters, change, box }: FilterBarProps) {
  const { q, status, from, to } = filters;
  /** Takes along what was typed without Enter. */
  const narrow = (changes: Partial<JobFilters>) => change({ q: box.current!.value.trim(), ...changes });
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    narrow({});
  };
  return (
    <form role="search" className="filters" onSubmit={search}>
      <label className="field find">
        Find
        <input
          ref={box}
          key={q}
          type="search"
          defaultValue={q}
          maxLength={160}
          placeholder="Start of title, external id or job id"
          enterKeyHint="search"
        />
      </label>
      <label className="field">
        Status
        <select value={status} onChange={(event) => narrow({ status: event.target.value })}>
          <option value="">every status</option>
          {Object.entries(JOB_STATUS).map(([name, { word }]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <PrinterFilter filters={filters} change={narrow} />
      <RangeFields from={from} to={to} onChange={narrow} />
      <button type="submit">Search</button>
    </form>
  );
}

function PrinterFilter({ filters, change }: Omit<FilterBarProps, 'box'>) {
  const printers = useRead('printers', 'listPrinters', { query: ALL_PRINTERS });
  return (
    <label className="field">
      Printer
      <select value={filters.printer} onChange={(event) => change({ printer: event.target.value })}>
        <option value="">every printer</option>
        {printers.data?.items.map(({ printer_id, name, computer_name }) => (
          <option key={printer_id} value={printer_id}>
            {name} on {computer_name}
          </option>
        ))}
      </select>
    </label>
  );
}
