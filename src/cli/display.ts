import { colourOf, cut, fit, type Look, painted, relative, widthOf } from './look.js';

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
