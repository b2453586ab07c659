import { useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { addressOf } from '../api/client.js';
import { useRead } from '../api/reads.js';
import { useFilters } from '../app/address.js';
import { Page } from '../app/page.js';
import { useKeys } from '../look/keys.js';
import { Empty, Read } from '../look/parts.js';
import { FilterBar } from './filter-bar.js';
import { FILTERS, isFiltered, pageWith, queryOf, type JobFilters } from './filters.js';
import { JobActions } from './job-actions.js';
import { JobTable } from './job-table.js';
import { KeysHelp } from './keys-help.js';
import './jobs.css';

const PAGE = 50;

export function JobsPage() {
  const [filters, change] = useFilters('/jobs', FILTERS);
  const jobs = useRead('jobs', 'searchJobs', { query: { limit: PAGE, ...queryOf(filters) } });
  const box = useRef<HTMLInputElement>(null);
  const [keysOn, setKeysOn] = useState(true);
  const [helps, setHelps] = useState(false);
  useKeys(keysOn ? { '/': () => box.current?.select(), '?': () => setHelps(true), x: chooseFocused } : {});
  return (
    <Page title="Jobs" actions={<PageActions filters={filters} help={() => setHelps(true)} />}>
      <FilterBar filters={filters} change={(changes) => change({ ...changes, cursor: '' })} box={box} />
      <Read of={jobs} loading={<JobTable jobs={undefined} caption="Jobs" loadingRows={20} />}>
        {({ items, next_cursor }) => (
          <>
            <LiveTable
              key={JSON.stringify(filters)}
              items={items}
              isFirst={filters.cursor === ''}
              empty={<NoJobs filters={filters} mayFollow={next_cursor !== null} />}
              keyboard={keysOn}
            />
            <Pages filters={filters} next={next_cursor} isEmpty={items.length === 0} />
          </>
        )}
      </Read>
      {helps && <KeysHelp areOn={keysOn} turn={setKeysOn} onClose={() => setHelps(false)} />}
    </Page>
  );
}

interface FiltersProps {
  readonly filters: JobFilters;
}

function PageActions({ filters, help }: FiltersProps & { readonly help: () => void }) {
  const { cursor: _, ...query } = queryOf(filters);
  const table = `/panel/jobs.csv?${new URLSearchParams(query).toString()}`;
  return (
    <>
      <button type="button" onClick={help}>
        Keys
      </button>
      <a className="button" href={addressOf(table)} download>
        Download CSV
      </a>
    </>
  );
}

/** Each page is an entry in the history of the browser, so going back shows the newer jobs again. */
function Pages({ filters, next, isEmpty }: FiltersProps & { next: string | null; isEmpty: boolean }) {
  return (
    <nav className="row" aria-label="More jobs">
      {filters.cursor !== '' && (
        <Link className="button" href={pageWith({ ...filters, cursor: '' })}>
          Newest
        </Link>
      )}
      {next !== null && (
        <Link className="button" href={pageWith({ ...filters, cursor: next })}>
          {isEmpty ? 'Look further back' : 'Older'}
        </Link>
      )}
    </nav>
  );
}

function NoJobs({ filters, mayFollow }: FiltersProps & { readonly mayFollow: boolean }) {
  const [, navigate] = useLocation();
  if (mayFollow) return <Empty text="None among the newest jobs." />;
  if (filters.cursor !== '') return <Empty text="No older jobs." />;
  if (isFiltered(filters))
    return (
      <Empty text="No job fits these filters.">
        <button type="button" onClick={() => navigate('/jobs')}>
          Show all jobs
        </button>
      </Empty>
    );
  return (
    <Empty text="No jobs yet.">
      <Link href="/send" className="button main">
        Send the first
      </Link>
    </Empty>
  );
}

interface LiveTableProps {
  readonly items: readonly PrintJob[];
  readonly isFirst: boolean;
  readonly empty: ReactNode;
  readonly keyboard: boolean;
}

/** New rows wait behind a button, so that nothing moves under the pointer; rows that are shown change in place. */
function LiveTable({ items, isFirst, empty, keyboard }: LiveTableProps) {
  const [newestShown, setNewestShown] = useState(items[0]?.created_at ?? '');
  const [isUsed, setIsUsed] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const holds = isUsed || chosen.size > 0;
  const fresh = isFirst && holds ? items.filter(({ created_at }) => created_at > newestShown) : [];
  if (!holds && items[0] && items[0].created_at > newestShown) setNewestShown(items[0].created_at);
  const shown = items.slice(fresh.length);
  const chosenJobs = shown.filter(({ job_id }) => chosen.has(job_id));
  return (
    <div onFocus={() => setIsUsed(true)} onBlur={() => setIsUsed(false)}>
      {fresh.length > 0 && (
        <p role="status">
          <button type="button" onClick={() => setNewestShown(items[0]!.created_at)}>
            {fresh.length} new {fresh.length === 1 ? 'job' : 'jobs'}
          </button>
        </p>
      )}
      <JobTable
        jobs={shown}
        caption={`${shown.length} ${shown.length === 1 ? 'job' : 'jobs'}, newest first`}
        empty={empty}
        keyboard={keyboard}
        selection={{ chosen, onChange: setChosen, nameOf: ({ title, job_id }) => title ?? job_id }}
      />
      {chosenJobs.length > 0 && <JobActions chosen={chosenJobs} onDone={() => setChosen(new Set())} />}
    </div>
  );
}

function chooseFocused(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}
