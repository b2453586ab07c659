import { epochMs, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';

export interface Pace {
  readonly pace: 'at_once' | 'quarter_hour' | 'hour';
  readonly quiet?: { readonly from: string; readonly until: string; readonly timeZone: string } | undefined;
}

export interface Started {
  readonly at: Instant;
  readonly test: boolean;
}

export const HOUR_MS: Milliseconds = 3_600_000;
/** The next message tells all that waited. */
export const MAX_MESSAGES_AN_HOUR = 60;

const GAP_MS: Readonly<Record<Pace['pace'], Milliseconds>> = {
  at_once: 0,
  quarter_hour: 900_000,
  hour: HOUR_MS,
};

/** @param started messages of the last hour, in order */
export function mayStart({ pace, quiet }: Pace, started: readonly Started[], at: Instant): boolean {
  if (isFull(started, at) || isQuiet(quiet, at)) return false;
  const last = started.findLast(({ test }) => !test);
  return last === undefined || plus(last.at, GAP_MS[pace]) <= at;
}

export const isFull = (started: readonly Started[], at: Instant) =>
  started.filter((message) => message.at > plus(at, -HOUR_MS)).length >= MAX_MESSAGES_AN_HOUR;

export function isQuiet(quiet: Pace['quiet'], at: Instant): boolean {
  if (!quiet) return false;
  const { from, until, timeZone } = quiet;
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(epochMs(at));
  return from <= until ? from <= time && time < until : from <= time || time < until;
}
