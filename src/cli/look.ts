/** How a terminal shows values; without a field it is plain text of any width. */
export interface Look {
  /** Unix milliseconds; times are then relative to it. */
  readonly now?: number;
  /** Columns. */
  readonly width?: number;
  readonly hasColours?: boolean;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A time of the API as `3 min ago` or `in 2 h`; any other text as it is. */
export function relative(text: string, now: number): string {
  if (!TIME.test(text)) return text;
  const seconds = (now - Date.parse(text)) / 1_000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[3];
  const amount = Math.floor(Math.abs(seconds) / size);
  if (amount === 0) return 'now';
  return seconds > 0 ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}

type Colour = 'red' | 'green' | 'yellow' | 'bold';

const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  bold: [1, 22],
};

/** SGR sequences (ECMA-48). */
export function painted(text: string, colour: Colour | undefined, hasColours = false): string {
  if (!hasColours || colour === undefined) return text;
  const [on, off] = CODES[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

const COLOUR_OF: readonly (readonly [Colour, RegExp])[] = [
  ['green', /^(active|online|healthy|delivered|sent_to_spooler|spooler_completed)$/],
  ['red', /^(failed|failing|dead_letter|expired|revoked|closed)$/],
  ['yellow', /^(manual_review|offline|paused|disabled|suspended|retry_scheduled)$/],
];

/** Of the value of a field. */
export const colourOf = (field: string, text: string): Colour | undefined =>
  /(^|_)(status|health)$/.test(field) ? COLOUR_OF.find(([, values]) => values.test(text))?.[0] : undefined;

const NO_COLUMN = /^\p{M}$/u;
const TWO_COLUMNS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]$/u;

const columnsOf = (character: string) =>
  NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1;

/** Columns that a text takes on a terminal (Unicode TR 11). */
export const widthOf = (text: string) =>
  /^[ -~]*$/.test(text) ? text.length : [...text].reduce((sum, each) => sum + columnsOf(each), 0);

/** As many whole characters as fit, the last one `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = width - 1;
  let kept = '';
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

const NARROWEST = 6;

/** Takes from the widest columns that may shrink until all fit, or none can shrink further. */
export function fit(widths: readonly number[], mayShrink: readonly boolean[], available: number): number[] {
  const fitted = [...widths];
  for (let excess = fitted.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess--) {
    const shrinkable = fitted.filter((width, n) => mayShrink[n] && width > NARROWEST);
    if (shrinkable.length === 0) break;
    const widest = Math.max(...shrinkable);
    fitted[fitted.findIndex((width, n) => mayShrink[n] && width === widest)]!--;
  }
  return fitted;
}
