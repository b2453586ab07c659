import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { useFilters } from '../app/address.js';
import { Page } from '../app/page.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Empty, Read } from '../look/parts.js';
import { JobTable } from './job-table.js';

const PAGE = 50;
const ALL_PRINTERS = { limit: 100, offset: 0 } as const;

export function JobsPage() {
  const [filters, change] = useFilters('/jobs', ['status', 'printer', 'external', 'page']);
  const page = Math.max(0, Number(filters.page) || 0);
  const jobs = useRead('jobs', 'listPrintJobs', {
    query: {
      limit: PAGE,
      offset: page * PAGE,
      status: (filters.status || undefined) as PrintJob['status'] | undefined,
      printer_id: filters.printer || undefined,
      external_id: filters.external || undefined,
    },
  });
  const isFiltered = filters.status !== '' || filters.printer !== '' || filters.external !== '';
  return (
    <Page title="Jobs">
      <Filters filters={filters} change={change} />
      <Read of={jobs} loading={<JobTable jobs={undefined} caption="Jobs" loadingRows={20} />}>
        {({ items, total }) => (
          <>
            <LiveTable
              items={items}
              caption={`${total} ${total === 1 ? 'job' : 'jobs'}, newest first`}
              isFirst={page === 0}
              empty={isFiltered ? <Empty text="No job fits these filters." /> : <NoJobs />}
            />
            <nav className="row" aria-label="More jobs">
              {page > 0 && (
                <button type="button" onClick={() => change({ page: page === 1 ? '' : String(page - 1) })}>
                  Newer
                </button>
              )}
              {(page + 1) * PAGE < total && (
                <button type="button" onClick={() => change({ page: String(page + 1) })}>
                  Older
                </button>
              )}
            </nav>
          </>
        )}
      </Read>
    </Page>
  );
}

function NoJobs() {
  return (
    <Empty text="No jobs yet.">
      <Link href="/send" className="button main">
        Send the first
      </Link>
    </Empty>
  );
}

/** New rows wait behind a button, so that nothing moves under the pointer; rows that are shown change in place. */
function LiveTable({
  items,
  caption,
  isFirst,
  empty,
}: {
  items: readonly PrintJob[];
  caption: string;
  isFirst: boolean;
  empty: ReactNode;
}) {
  const [newestShown, setNewestShown] = useState(items[0]?.created_at ?? '');
  const [scrolled, setScrolled] = useState(false);
  const fresh = isFirst && scrolled ? items.filter(({ created_at }) => created_at > newestShown) : [];
  if (!scrolled && items[0] && items[0].created_at > newestShown) setNewestShown(items[0].created_at);
  const shown = items.slice(fresh.length);
  return (
    <div onFocus={() => setScrolled(true)} onBlur={() => setScrolled(false)}>
      {fresh.length > 0 && (
        <p role="status">
          <button type="button" onClick={() => setNewestShown(items[0]!.created_at)}>
            {fresh.length} new {fresh.length === 1 ? 'job' : 'jobs'}
          </button>
        </p>
      )}
      <JobTable jobs={shown} caption={caption} empty={empty} keyboard />
    </div>
  );
}

interface FiltersProps {
  readonly filters: Readonly<Record<'status' | 'printer' | 'external', string>>;
  readonly change: (changes: Partial<Record<'status' | 'printer' | 'external' | 'page', string>>) => void;
}

function Filters({ filters, change }: FiltersProps) {
  const [, navigate] = useLocation();
  const printers = useRead('printers', 'listPrinters', { query: ALL_PRINTERS });
  const textOf = (event: FormEvent<HTMLFormElement>, name: string) => {
    event.preventDefault();
    return String(new FormData(event.currentTarget).get(name) ?? '').trim();
  };
  return (
    <div className="filters">
      <label className="field">
        Status
        <select value={filters.status} onChange={(event) => change({ status: event.target.value, page: '' })}>
          <option value="">every status</option>
          {Object.entries(JOB_STATUS).map(([status, { word }]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Printer
        <select
          value={filters.printer}
          onChange={(event) => change({ printer: event.target.value, page: '' })}
        >
          <option value="">every printer</option>
          {printers.data?.items.map(({ printer_id, name, computer_name }) => (
            <option key={printer_id} value={printer_id}>
              {name} on {computer_name}
            </option>
          ))}
        </select>
      </label>
      <form onSubmit={(event) => change({ external: textOf(event, 'external'), page: '' })}>
        <label className="field">
          External id
          <input name="external" defaultValue={filters.external} key={filters.external} maxLength={160} />
        </label>
      </form>
      <form onSubmit={(event) => navigate(`/jobs/${encodeURIComponent(textOf(event, 'id'))}`)}>
        <label className="field">
          Open by id
          <input name="id" required maxLength={64} />
        </label>
      </form>
    </div>
  );
}
