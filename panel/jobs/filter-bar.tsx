import type { FormEvent, RefObject } from 'react';
import { useRead } from '../api/reads.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Choose, RangeFields } from '../look/filter-fields.js';
import type { JobFilters } from './filters.js';

const ALL_PRINTERS = { limit: 100, offset: 0 } as const;

const STATUSES = [
  ['unfinished', 'not ended'] as const,
  ...Object.entries(JOB_STATUS).map(([name, { word }]) => [name, word] as const),
];

interface FilterBarProps {
  readonly filters: JobFilters;
  readonly change: (changes: Partial<JobFilters>) => void;
  /** The search box, for the key that goes there. */
  readonly box: RefObject<HTMLInputElement | null>;
}

/** One box for what people know of a job, and what narrows it. */
export function FilterBar({ filters, change, box }: FilterBarProps) {
  const { q, status, printer, from, to } = filters;
  const printers = useRead('printers', 'listPrinters', { query: ALL_PRINTERS }).data?.items ?? [];
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
      <Choose
        name="Status"
        options={STATUSES}
        value={status}
        onChange={(chosen) => narrow({ status: chosen })}
      />
      <Choose
        name="Printer"
        options={printers.map((one) => [one.printer_id, `${one.name} on ${one.computer_name}`])}
        value={printer}
        onChange={(chosen) => narrow({ printer: chosen })}
      />
      <RangeFields from={from} to={to} onChange={narrow} />
      <button type="submit">Search</button>
    </form>
  );
}
