import { memo, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { AccountActivity, PanelDelivery } from '../../sdk/src/generated/panel.js';
import { DurationLines } from '../look/chart/duration-lines.js';
import { StackedBars, type Series } from '../look/chart/stacked-bars.js';
import '../look/chart/chart.css';
import { pageWith } from '../jobs/filters.js';
import { JOB_STATUS } from '../look/job-status.js';
import { Table } from '../look/parts.js';
import { dayOf, duration, minuteOf } from '../look/times.js';
import { addUp, daySlots, HOUR_MS, hourSlots, type Slot } from './slots.js';

type Outcome = 'completed' | 'unfinished' | 'in_review' | 'failed' | 'expired' | 'cancelled';
type Result = 'delivered' | 'failed' | 'other';

const OUTCOMES: readonly Series<Outcome>[] = [
  { key: 'completed', name: JOB_STATUS.spooler_completed.word, ink: 'ink-done' },
  { key: 'unfinished', name: 'not ended', ink: 'ink-moving' },
  { key: 'in_review', name: JOB_STATUS.manual_review.word, ink: 'ink-decision' },
  { key: 'failed', name: JOB_STATUS.failed.word, ink: 'ink-failed' },
  { key: 'expired', name: JOB_STATUS.expired.word, ink: 'ink-expired' },
  { key: 'cancelled', name: JOB_STATUS.cancelled.word, ink: 'ink-off' },
];
const STATUS_OF: Readonly<Record<Outcome, keyof typeof JOB_STATUS | 'unfinished'>> = {
  completed: 'spooler_completed',
  unfinished: 'unfinished',
  in_review: 'manual_review',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
};
const RESULTS: readonly Series<Result>[] = [
  { key: 'delivered', name: 'delivered', ink: 'ink-done' },
  { key: 'other', name: 'not ended', ink: 'ink-moving' },
  { key: 'failed', name: 'failed', ink: 'ink-failed' },
];

/** No list has only what has not ended. */
const RESULT_STATUS: Readonly<Record<Result, PanelDelivery['status'] | undefined>> = {
  delivered: 'delivered',
  failed: 'dead_letter',
  other: undefined,
};

const HEIGHT = 160;

/** What members see of their account, and operators of all. */
export type Activity = Omit<AccountActivity, 'availability'>;

interface Shown {
  readonly activity: Activity;
  readonly slots: readonly Slot[];
  /** Operators have no list behind the numbers. */
  readonly hasLists: boolean;
}

export interface PicturesProps extends Pick<Shown, 'activity' | 'hasLists'> {
  readonly byDay: boolean;
}

/** Charts of jobs and webhook deliveries. Read when the page needs them, and drawn again only for other numbers. */
export const Pictures = memo(function Pictures({ activity, byDay, hasLists }: PicturesProps) {
  const slots = (byDay ? daySlots : hourSlots)(activity.from, activity.to);
  return (
    <div className="multiples">
      <Jobs {...{ activity, slots, hasLists }} />
      <Times {...{ activity, slots, hasLists }} />
      <Deliveries {...{ activity, slots, hasLists }} />
    </div>
  );
});

/** The list of an hour, or of days of which the first may be cut off. */
function listLink(status: string | undefined, from: number, to: number, path?: string): string {
  const partOf = to - from <= HOUR_MS ? minuteOf : dayOf;
  const start = minuteOf(from).endsWith('T00:00') ? partOf(from) : minuteOf(from);
  return pageWith({ ...(status && { status }), from: start, to: partOf(to - 1) }, path);
}

const rangeOf = ({ from, to }: Activity) => ({ from: Date.parse(from), to: Date.parse(to) });

function Jobs({ activity, slots, hasLists }: Shown) {
  const linkOf = (key: Outcome, { from, to }: Pick<Slot, 'from' | 'to'>) =>
    hasLists ? listLink(STATUS_OF[key], from, to) : undefined;
  const counts = addUp(
    slots,
    activity.jobs,
    OUTCOMES.map(({ key }) => key),
  );
  return (
    <section className="box stack whole" aria-labelledby="jobs-by-hour">
      <Head id="jobs-by-hour" title="Jobs created, by their status now">
        <Legend series={OUTCOMES} counts={counts} linkOf={(key) => linkOf(key, rangeOf(activity))} />
      </Head>
      <StackedBars
        slots={slots.map((slot, n) => ({ ...slot, values: counts[n]! }))}
        series={OUTCOMES}
        linkOf={(key, n) => linkOf(key, slots[n]!)}
        height={HEIGHT}
      />
      <CountTable
        caption="Jobs created, by their status now"
        {...{ slots, counts }}
        series={OUTCOMES}
        linkOf={linkOf}
      />
    </section>
  );
}

function Deliveries({ activity, slots, hasLists }: Shown) {
  const counts = addUp(
    slots,
    activity.deliveries,
    RESULTS.map(({ key }) => key),
  );
  const linkOf = (key: Result, { from, to }: Pick<Slot, 'from' | 'to'>) =>
    hasLists && RESULT_STATUS[key] ? listLink(RESULT_STATUS[key], from, to, '/webhooks') : undefined;
  return (
    <section className="box stack" aria-labelledby="webhooks-by-hour">
      <Head id="webhooks-by-hour" title="Webhook deliveries">
        <Legend series={RESULTS} counts={counts} linkOf={(key) => linkOf(key, rangeOf(activity))} />
      </Head>
      <StackedBars
        slots={slots.map((slot, n) => ({ ...slot, values: counts[n]! }))}
        series={RESULTS}
        linkOf={(key, n) => linkOf(key, slots[n]!)}
        height={HEIGHT}
      />
      <CountTable caption="Webhook deliveries" {...{ slots, counts }} series={RESULTS} linkOf={linkOf} />
    </section>
  );
}

function Times({ activity, slots, hasLists }: Shown) {
  const rows = activity.jobs.flatMap(({ hour, p50_ms, p95_ms }) =>
    p50_ms === null || p95_ms === null ? [] : [{ at: Date.parse(hour), values: [p50_ms, p95_ms] as const }],
  );
  const linkOf = (from: number, to: number) => (hasLists ? listLink(undefined, from, to) : undefined);
  const bands = slots.map((slot) => ({ ...slot, link: linkOf(slot.from, slot.to) }));
  return (
    <section className="box stack" aria-labelledby="spool-times">
      <Head id="spool-times" title="Time to the spooler">
        <ul className="legend">
          <Percentile ink="ink-first" name="half of the jobs" ms={activity.p50_ms} />
          <Percentile ink="ink-second" name="95 %" ms={activity.p95_ms} />
        </ul>
      </Head>
      <DurationLines points={rows} bands={bands} inks={['ink-first', 'ink-second']} height={HEIGHT} />
      <AsTable title="Time to the spooler" columns={['Hour', 'Half within', '95 % within']}>
        {() =>
          rows.map(({ at, values }) => (
            <tr key={at}>
              <td>
                <Linked to={linkOf(at, at + HOUR_MS)}>{hourSlots(...around(at))[0]!.label}</Linked>
              </td>
              <td>{duration(values[0])}</td>
              <td>{duration(values[1])}</td>
            </tr>
          ))
        }
      </AsTable>
    </section>
  );
}

const around = (at: number) => [new Date(at).toISOString(), new Date(at + 1).toISOString()] as const;

const Linked = ({ to, children }: { to: string | undefined; children: ReactNode }) =>
  to === undefined ? <>{children}</> : <Link href={to}>{children}</Link>;

function Head({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className="chart-head">
      <h3 id={id}>{title}</h3>
      {children}
    </div>
  );
}

function Percentile({ ink, name, ms }: { ink: string; name: string; ms: number | null }) {
  return (
    <li>
      <span className={`swatch ${ink}`} aria-hidden="true" />
      {name} <b>{ms === null ? '–' : duration(ms)}</b>
    </li>
  );
}

interface LegendProps<K extends string> {
  readonly series: readonly Series<K>[];
  readonly counts: readonly Readonly<Record<K, number>>[];
  readonly linkOf: (key: K) => string | undefined;
}

/** Names the colours, with what they add up to. */
function Legend<K extends string>({ series, counts, linkOf }: LegendProps<K>) {
  return (
    <ul className="legend">
      {series.map(({ key, name, ink }) => {
        const sum = counts.reduce((all, count) => all + count[key], 0);
        return (
          <li key={key}>
            <span className={`swatch ${ink}`} aria-hidden="true" />
            <Linked to={linkOf(key)}>{name}</Linked> <b>{sum.toLocaleString('en')}</b>
          </li>
        );
      })}
    </ul>
  );
}

interface CountTableProps<K extends string> {
  readonly caption: string;
  readonly slots: readonly Slot[];
  readonly series: readonly Series<K>[];
  readonly counts: readonly Readonly<Record<K, number>>[];
  readonly linkOf: (key: K, slot: Slot) => string | undefined;
}

/** The same as the bars, for those who do not see them or use no pointer. */
function CountTable<K extends string>({ caption, slots, series, counts, linkOf }: CountTableProps<K>) {
  const rows = slots.flatMap((slot, n) =>
    series.some(({ key }) => counts[n]![key] > 0) ? [{ slot, count: counts[n]! }] : [],
  );
  return (
    <AsTable title={caption} columns={['Time', ...series.map(({ name }) => name)]}>
      {() =>
        rows.map(({ slot, count }) => (
          <tr key={slot.from}>
            <td>{slot.label}</td>
            {series.map(({ key }) => (
              <td key={key}>{count[key] > 0 ? <Linked to={linkOf(key, slot)}>{count[key]}</Linked> : 0}</td>
            ))}
          </tr>
        ))
      }
    </AsTable>
  );
}

interface AsTableProps {
  readonly title: string;
  readonly columns: readonly string[];
  /** Makes the rows, once somebody opens the table: there may be hundreds. */
  readonly children: () => ReactNode;
}

function AsTable({ title, columns, children }: AsTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="plain chart-table" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title} as a table</summary>
      {isOpen && (
        <div className="scroll" tabIndex={0} role="region" aria-label={`${title} as a table`}>
          <Table caption={title} columns={columns}>
            {children()}
          </Table>
        </div>
      )}
    </details>
  );
}
