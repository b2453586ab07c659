import { OutdatedPositionError } from '../../kernel/errors.js';
import {
  POSITION_DIGITS,
  type CreationPosition,
  type Position,
  type RecordedEvent,
} from '../../kernel/recorded-event.js';
import { epochMs, type Instant } from '../../kernel/time.js';

/** Of milliseconds since 1970. */
const TIME_DIGITS = 13;
const ORDINAL_DIGITS = 4;
const MAX_ORDINAL = 10 ** ORDINAL_DIGITS;
const ROW_DIGITS = POSITION_DIGITS + ORDINAL_DIGITS;

type Created = Pick<RecordedEvent, 'position'> & { readonly metadata: { readonly at: Instant } };

/** Time and position of the event, then the ordinal of the document among those that it touches. */
export function creationPositionOf({ position, metadata }: Created, ordinal: number): CreationPosition {
  if (ordinal >= MAX_ORDINAL)
    throw new RangeError(`one event makes at most ${MAX_ORDINAL} documents of a view`);
  return beforeTime(metadata.at) + position + String(ordinal).padStart(ORDINAL_DIGITS, '0');
}

/** Before every document of this time or later, after all others: as `after` of a list, it leaves those out. */
export function beforeTime(at: Instant): CreationPosition {
  return timeText(epochMs(at));
}

/** Of the first event of the document. */
export function eventPositionIn(position: CreationPosition): Position {
  return position.slice(-ROW_DIGITS, -ORDINAL_DIGITS);
}

/** Position and ordinal, without the time: compares as the log does. */
export function placeInLog(position: CreationPosition): string {
  return position.slice(-ROW_DIGITS);
}

/** In embedded stores, position and ordinal are the number of a row: exact up to 9 * 10^11 events. */
export interface CreatedRow {
  readonly created: number;
  readonly row: number;
}

/** @throws OutdatedPositionError */
export function rowIn(position: CreationPosition): CreatedRow {
  refuseOutdated(position);
  return { created: Number(position.slice(0, TIME_DIGITS)), row: Number(position.slice(TIME_DIGITS)) };
}

export function creationPositionFrom({ created, row }: CreatedRow): CreationPosition {
  return timeText(created) + String(row).padStart(ROW_DIGITS, '0');
}

/** @throws OutdatedPositionError */
export function refuseOutdated(position: CreationPosition): void {
  if (position.length === ROW_DIGITS) throw new OutdatedPositionError(position);
}

function timeText(ms: number): string {
  return String(Math.max(0, ms)).padStart(TIME_DIGITS, '0');
}
