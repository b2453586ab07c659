export type Item = Readonly<Record<string, unknown>>;

/** By the field that holds a list; `items` for a list command. */
export type Columns = Readonly<Record<string, readonly string[]>>;

const INDENT = '  ';

/** A list as a table, an object as aligned lines with its parts below. */
export function displayed(data: unknown, columns: Columns = {}, look: Look = {}): string {
  const { items, total } = (data ?? {}) as { items?: readonly Item[]; total?: number };
  // What an object shows are moments to compare: they stay absolute.
  if (!Array.isArray(items))
    return details((data ?? {}) as Item, columns, { ...look, now: undefined }).join('');
  if (items.length === 0) return 'none\n';
  const more = total !== undefined && total > items.length;
  return (
    table(items, columns.items, look) + (more ? `${items.length} of ${total}; --limit N shows more\n` : '')
  );
}

/** By default omits fields that are lists or objects; `health.behind` is a field of an object. */
export function table(
  items: readonly Item[],
  columns: readonly string[] = plainFields(items),
  look: Look = {},
): string {
  const { now } = look;
  const shown = (text: string) => (now === undefined ? text : relative(text, now));
  const rows = items.map((item) => columns.map((column) => shown(textOf(valueAt(item, column)))));
  const heads = columns.map((column) => column.replaceAll(/[_.]/g, ' ').toUpperCase());
  return aligned([heads, ...rows], { ...look, columns });
}

/** A field, or one of an object: `health.behind`. */
export function valueAt(item: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isObject(value) ? (value as Item)[name] : undefined), item);
}

/** Plain values first, then nested objects, indented, and lists of objects as tables. */
function details(item: Item, columns: Columns, look: Look): string[] {
  const fields = Object.entries(item);
  const values = fields.filter(([, value]) => !isPart(value));
  const parts = fields.filter(([, value]) => isPart(value));
  const inside = { ...look, ...(look.width && { width: look.width - INDENT.length }) };
  return [
    lines(values, look),
    ...parts.flatMap(([name, value]) => {
      const text = Array.isArray(value)
        ? table(value as Item[], columns[name], inside)
        : details(value as Item, {}, inside).join('');
      return [`\n${name}\n`, indented(text)];
    }),
  ];
}

/** Values are never cut. */
function lines(values: readonly (readonly [string, unknown])[], { hasColours }: Look): string {
  const width = Math.max(0, ...values.map(([name]) => widthOf(name)));
  const line = (name: string, text: string) =>
    `${name.padEnd(width)}${INDENT}${painted(text, colourOf(name, text), hasColours)}\n`;
  return values.map(([name, value]) => line(name, textOf(value))).join('');
}

function isPart(value: unknown): boolean {
  return Array.isArray(value) ? isObject(value[0]) : isObject(value);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

export function plainFields(items: readonly Item[]): string[] {
  const fields = items.flatMap((item) => Object.keys(item).filter((field) => !isObject(item[field])));
  return [...new Set(fields)];
}

/** The first row are the heads. Ids stay whole: people copy them. */
function aligned(
  rows: readonly (readonly string[])[],
  { columns, width, hasColours }: Look & { readonly columns: readonly string[] },
): string {
  const full = columns.map((_, n) => Math.max(...rows.map((row) => widthOf(row[n]!))));
  const mayShrink = columns.map((column) => !column.endsWith('_id'));
  const between = INDENT.length * (columns.length - 1);
  const widths = width === undefined ? full : fit(full, mayShrink, width - between);
  const cell = (text: string, n: number, isHead: boolean) => {
    const shown = cut(text, widths[n]!);
    const padding = n === columns.length - 1 ? '' : ' '.repeat(widths[n]! - widthOf(shown));
    return painted(shown, isHead ? 'bold' : colourOf(columns[n]!, text), hasColours) + padding;
  };
  return rows
    .map((row, at) => row.map((text, n) => cell(text, n, at === 0)).join(INDENT))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const indented = (text: string) => text.replace(/^(?=.)/gm, INDENT);

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}=${textOf(each)}`)
      .join(' ');
  return printable(String(value as string | number));
}

/** Control and direction characters. */
const UNSAFE = /[\p{Cc}\p{Cf}]/gu;
const UNSAFE_IN_LINES = /(?![\r\n])[\p{Cc}\p{Cf}]/gu;

/** Names come from clients and agents: keeps control and direction characters off the terminal. */
export const printable = (text: string) => text.replace(UNSAFE, '\u{fffd}');

export const printableLines = (text: string) => text.replace(UNSAFE_IN_LINES, '\u{fffd}');

/** On a terminal escapes such characters, so that it stays the same JSON. */
export function jsonOf(value: unknown, isOnTerminal = false, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return isOnTerminal ? text.replace(UNSAFE_IN_LINES, escaped) : text;
}

/** Each UTF-16 unit as `\uXXXX`. */
const escaped = (character: string) =>
  character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
