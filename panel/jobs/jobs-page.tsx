import { useRef, useState, type ReactNode, type RefObject } from 'react';
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
import { JobTable, NoJobsYet } from './job-table.js';
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
    <Page title="Jobs" actions={<PageActions filters={filters} box={box} help={() => setHelps(true)} />}>
      <FilterBar filters={filters} change={(changes) => change({ ...changes, cursor: '' })} box={box} />
      <Read of={jobs} loading={<JobTable jobs={undefined} caption="Jobs" loadingRows={20} />}>
        {({ items, next_cursor }) => (
          <>
            <LiveTable
              key={JSON.stringify(filters)}
              items={items}
              isFirst={filters.cursor === ''}
              hasMore={next_cursor !== null}
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

interface PageActionsProps extends FiltersProps {
  /** May hold text that was typed without Enter. */
  readonly box: RefObject<HTMLInputElement | null>;
  readonly help: () => void;
}

function PageActions({ filters, box, help }: PageActionsProps) {
  const tableOf = (chosen: JobFilters) => {
    const { cursor: _, ...query } = queryOf(chosen);
    return addressOf(`/panel/jobs.csv?${new URLSearchParams(query).toString()}`);
  };
  return (
    <>
      <button type="button" className="keys-help" onClick={help}>
        Keyboard
      </button>
      <a
        className="button"
        href={tableOf(filters)}
        download
        onClick={({ currentTarget }) => {
          currentTarget.href = tableOf({ ...filters, q: box.current!.value.trim() });
        }}
      >
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
        {filters.q && <p>A search finds the beginning of a title, an external id or a job id.</p>}
        <button type="button" onClick={() => navigate('/jobs')}>
          Show all jobs
        </button>
      </Empty>
    );
  return <NoJobsYet />;
}

interface LiveTableProps {
  readonly items: readonly PrintJob[];
  readonly isFirst: boolean;
  readonly hasMore: boolean;
  readonly empty: ReactNode;
  readonly keyboard: boolean;
}

/**
 * New rows wait behind a button, so that nothing moves under the pointer; rows that are shown change in place. While
 * they are used none falls off the page.
 */
function LiveTable({ items, isFirst, hasMore, empty, keyboard }: LiveTableProps) {
  const [isUsed, setIsUsed] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [{ read, shown }, setRows] = useState({ read: items, shown: items });
  const chosenJobs = shown.filter(({ job_id }) => chosen.has(job_id));
  const holds = isUsed || chosenJobs.length > 0;
  if (read !== items || (!holds && shown !== items))
    setRows({ read: items, shown: holds ? updated(shown, items) : items });
  const newest = shown[0]?.created_at ?? '';
  const fresh = isFirst && holds ? items.filter(({ created_at }) => created_at > newest) : [];
  const showFresh = () => {
    const ids = new Set(items.map(({ job_id }) => job_id));
    setRows({ read: items, shown: [...items, ...chosenJobs.filter(({ job_id }) => !ids.has(job_id))] });
  };
  const leave = (left: readonly PrintJob[]) => {
    setChosen(new Set(left.map(({ job_id }) => job_id)));
    setIsUsed(false);
  };
  return (
    <div onFocus={() => setIsUsed(true)} onBlur={() => setIsUsed(false)}>
      {fresh.length > 0 && (
        <p role="status">
          <button type="button" onClick={showFresh}>
            {fresh.length} new {fresh.length === 1 ? 'job' : 'jobs'}
          </button>
        </p>
      )}
      <JobTable
        jobs={shown}
        caption={captionOf(shown.length, isFirst && hasMore)}
        empty={empty}
        keyboard={keyboard}
        selection={{ chosen, onChange: setChosen, nameOf: ({ title, job_id }) => title ?? job_id }}
      />
      {chosenJobs.length > 0 && <JobActions chosen={chosenJobs} onDone={leave} />}
    </div>
  );
}

function captionOf(count: number, areNewest: boolean): string {
  const jobs = `${count} ${count === 1 ? 'job' : 'jobs'}`;
  return areNewest ? `The newest ${jobs}` : `${jobs}, newest first`;
}

/** The same rows as they are now. */
function updated(shown: readonly PrintJob[], items: readonly PrintJob[]): readonly PrintJob[] {
  const now = new Map(items.map((job) => [job.job_id, job]));
  return shown.map((job) => now.get(job.job_id) ?? job);
}

function chooseFocused(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}
