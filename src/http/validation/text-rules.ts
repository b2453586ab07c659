/** Any version, any case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Control characters, line separators, and halves of surrogate pairs: text with one is not well-formed. */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Unicode's Bidi_Control: invisible, and can make the text around it read as something else (UAX #9). */
const BIDIRECTIONAL = /\p{Bidi_Control}/gu;

/** RFC 3339 with a zone; seconds may be left out. */
const DATE_TIME = /^\d{4}-(\d{2})-(\d{2})[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;

export const isWellFormed = (text: string) => !UNFIT.test(text);

export const isPlain = (text: string) => isWellFormed(text) && text.search(BIDIRECTIONAL) < 0;

/** Shows U+FFFD for each bidirectional control, so the text keeps its length. */
export const withoutBidirectional = (text: string) => text.replace(BIDIRECTIONAL, '\ufffd');

/** Characters as people and JSON Schema count them: code points, not UTF-16 units. */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > max * 2) return false;
  const count = text.length <= max && text.length > min * 2 ? text.length : [...text].length;
  return count >= min && count <= max;
}

/** Epoch milliseconds of a date-time, undefined when there is no such moment (30 February). */
export function momentOf(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(match[1]), Number(match[2])];
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const moment = Date.parse(text.toUpperCase());
  return Number.isNaN(moment) ? undefined : moment;
}
