import { memo } from 'react';
import { Link } from 'wouter';
import type { AccountActivity, AvailabilityStrip } from '../../sdk/src/generated/panel.js';
import { Strip } from '../look/chart/strip.js';
import { Empty } from '../look/parts.js';
import { whole } from '../look/times.js';

const SHOWN = 12;
const HOURS_48 = 48 * 3_600_000;
const INKS: Readonly<Record<AvailabilityStrip['state'], string>> = {
  online: 'ink-done',
  offline: 'ink-failed',
  disabled: 'ink-off',
  pending: 'ink-absent',
};

const LEGEND = [
  ['ink-done', 'online'],
  ['ink-failed', 'offline'],
  ['ink-off', 'disabled'],
  ['ink-absent', 'not there yet'],
] as const;

/** Computers, and the printers that were not online all the time. Read when the page needs it. */
export const Availability = memo(function Availability({ activity }: { readonly activity: AccountActivity }) {
  const to = Date.parse(activity.to);
  const from = Math.max(Date.parse(activity.from), to - HOURS_48);
  const computers = activity.availability.filter(({ kind }) => kind === 'computer');
  const printers = activity.availability.filter(
    ({ kind, state, outages }) => kind === 'printer' && (outages > 0 || state !== 'online'),
  );
  if (computers.length === 0)
    return (
      <Empty text="No computer yet. Its Agent prints the jobs.">
        <Link href="/devices" className="button">
          Devices
        </Link>
      </Empty>
    );
  return (
    <>
      <ul className="legend">
        {LEGEND.map(([ink, name]) => (
          <li key={ink}>
            <span className={`swatch ${ink}`} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <Strips strips={computers} from={from} to={to} />
      {printers.length > 0 && (
        <>
          <h3>Printers that were not online all the time</h3>
          <Strips strips={printers} from={from} to={to} />
        </>
      )}
    </>
  );
});

interface StripsProps {
  readonly strips: readonly AvailabilityStrip[];
  readonly from: number;
  readonly to: number;
}

function Strips({ strips, from, to }: StripsProps) {
  const worst = [...strips].sort((a, b) => b.outages - a.outages).slice(0, SHOWN);
  return (
    <>
      <ul className="strips">
        {worst.map((strip) => (
          <li key={strip.id}>
            <Link href="/devices" className="name">
              <bdi>{strip.name}</bdi>
            </Link>
            <Strip from={from} to={to} parts={partsOf(strip, from, to)} link="/devices" />
            <span className="quiet small">{summary(strip)}</span>
          </li>
        ))}
      </ul>
      {strips.length > SHOWN && <Link href="/devices">All {strips.length}</Link>}
    </>
  );
}

function partsOf({ intervals }: AvailabilityStrip, from: number, to: number) {
  return intervals.map(({ state, since }, n) => {
    const next = intervals[n + 1]?.since;
    const until = next === undefined ? 'now' : whole(next);
    return {
      from: Math.max(from, Date.parse(since)),
      to: next === undefined ? to : Date.parse(next),
      label: `${state} from ${whole(since)} until ${until}`,
      ink: INKS[state],
    };
  });
}

function summary({ state, outages }: AvailabilityStrip): string {
  const often = outages === 0 ? 'never offline' : `offline ${outages === 1 ? 'once' : `${outages} times`}`;
  return state === 'online' ? often : `${state} now`;
}
