import { Fragment } from 'react';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { Foreign } from '../look/parts.js';
import { duration, offset, whole } from '../look/times.js';
import { LANES, lanesOf, type Lane, type LaneGroup, type LaneRow } from './lanes.js';
import './lanes.css';

/** The stored events of a job, in the lane where each happened. */
export function LanesView({ events }: { readonly events: readonly PanelEvent[] }) {
  const groups = lanesOf(events);
  return (
    <section className="stack" aria-labelledby="lanes">
      <h2 id="lanes">What happened</h2>
      <div className="lane-head" aria-hidden="true">
        <span>Offset</span>
        {LANES.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
        <span>Event</span>
        <span>By</span>
      </div>
      {groups.map((group, n) => (
        <Group key={group.attempt} group={group} isOpen={n === groups.length - 1} />
      ))}
    </section>
  );
}

function Group({ group, isOpen }: { readonly group: LaneGroup; readonly isOpen: boolean }) {
  const { attempt, rows, summary } = group;
  return (
    <details className="plain" open={isOpen || attempt === 0}>
      <summary>
        {attempt === 0 ? 'Before the first attempt' : `Attempt ${attempt} · fence ${attempt} · ${summary}`}
      </summary>
      <ol className="lanes">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ol>
    </details>
  );
}

function Row({ row }: { readonly row: LaneRow }) {
  const { at, offsetMs, pauseMs, text, actor, reason, isHandoff, isKnown, needsDecision } = row;
  return (
    <li>
      {pauseMs !== undefined && <div className="lane-pause">⋮ {duration(pauseMs)} without an event</div>}
      <div className={`lane-row${isKnown ? '' : ' lane-unknown'}`}>
        <time className="lane-offset" dateTime={at} title={whole(at)}>
          {offset(offsetMs)}
        </time>
        <Track row={row} />
        <span className={needsDecision ? 'text-decision' : undefined}>
          <Breakable text={text} />
          {reason && (
            <>
              : <Foreign text={reason} />
            </>
          )}
        </span>
        <span className="quiet">
          by <Foreign text={actor} />
        </span>
      </div>
      {isHandoff && <div className="lane-boundary">from here on it may have been printed</div>}
    </li>
  );
}

/** Codes may break behind their underscores, and nowhere else. */
const Breakable = ({ text }: { readonly text: string }) =>
  text.split(/(?<=_)/).map((part, n) => (
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const numberOf = (lane: Lane) => LANES.indexOf(lane) + 1;

function Track({ row: { from, to, needsDecision } }: { readonly row: LaneRow }) {
  const dot = (lane: Lane) => (
    <span className={`lane-mark lane-${numberOf(lane)}`}>
      <span className={needsDecision ? 'lane-dot lane-decision' : 'lane-dot'} />
    </span>
  );
  if (!to)
    return (
      <span className="lane-track" aria-hidden="true">
        {dot(from)}
      </span>
    );
  const [first, second] = [numberOf(from), numberOf(to)].sort();
  return (
    <span className="lane-track" aria-hidden="true">
      {dot(from)}
      <span className={`lane-mark lane-${first}-${second}`}>
        <span className="lane-line" />
      </span>
      {dot(to)}
    </span>
  );
}
