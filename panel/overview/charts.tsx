import type { ReactNode } from 'react';
import { lazy } from '../api/lazy.js';
import { useFilters } from '../app/address.js';
import { Read, type Reading } from '../look/parts.js';
import './overview.css';
import type { Activity, PicturesProps } from './pictures.js';

/** Keeps the height of the charts. */
const PLACE = <div className="charts-place" />;

/** Brings the chart library: read after the first page is shown. */
const Pictures = lazy(async () => (await import('./pictures.js')).Pictures, PLACE);

const DAY_MS = 86_400_000;

/** Hours of each range by its value in the address, and its name. */
const RANGES = [
  ['', 48, '48 hours'],
  ['7d', 7 * 24, '7 days'],
  ['30d', 30 * 24, '30 days'],
] as const;

/** The hours that the charts of the first page show, and how to choose them. */
export function useRange() {
  const [{ range }, change] = useFilters('/', ['range']);
  const hours = RANGES.find(([value]) => value === range)?.[1] ?? 48;
  return { range, change, query: { query: { hours } } } as const;
}

interface ChartsProps extends Pick<PicturesProps, 'hasLists'> {
  readonly activity: Reading<Activity>;
  readonly range: ReturnType<typeof useRange>;
  /** Above the charts. */
  readonly children?: ReactNode;
}

/** What happened by hour or day, over the range that the address names. */
export function Charts({ activity, range: { range, change }, hasLists, children }: ChartsProps) {
  return (
    <section className="stack" aria-labelledby="activity">
      <div className="page-head">
        <h2 id="activity">Activity</h2>
        <div className="row chosen" role="group" aria-label="Range">
          {RANGES.map(([value, , name]) => (
            <button
              key={value}
              type="button"
              aria-pressed={range === value}
              onClick={() => change({ range: value })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      {children}
      <Read of={activity} loading={PLACE}>
        {(shown) => <Pictures activity={shown} byDay={isLong(shown)} hasLists={hasLists} />}
      </Read>
    </section>
  );
}

/** The shown range, while another one is being read. */
const isLong = ({ from, to }: Activity) => Date.parse(to) - Date.parse(from) > 3 * DAY_MS;
