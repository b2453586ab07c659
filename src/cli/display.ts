type Item = Readonly<Record<string, unknown>>;

/** By the field that holds a list; `items` for a list command. */
export type Columns = Readonly<Record<string, readonly string[]>>;

const INDENT = '  ';

/** A list as a table, an object as aligned lines with its parts below. */
export function displayed(data: unknown, columns: Columns = {}): string {
  const { items, total } = (data ?? {}) as { items?: readonly Item[]; total?: number };
  if (!Array.isArray(items)) return details((data ?? {}) as Item, columns).join('');
  if (items.length === 0) return 'none\n';
  const more = total !== undefined && total > items.length;
  return table(items, columns.items) + (more ? `${items.length} of ${total}; --limit N shows more\n` : '');
}

/** By default omits fields that are lists or objects; `health.behind` is a field of an object. */
export function table(items: readonly Item[], columns: readonly string[] = plainFields(items)): string {
  const rows = items.map((item) => columns.map((column) => textOf(valueAt(item, column.split('.')))));
  return aligned([columns.map((column) => column.replaceAll(/[_.]/g, ' ').toUpperCase()), ...rows]);
}

function valueAt(item: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isObject(value) ? (value as Item)[name] : undefined), item);
}

/** Plain values first, then nested objects, indented, and lists of objects as tables. */
function details(item: Item, columns: Columns): string[] {
  const fields = Object.entries(item);
  const values = fields.filter(([, value]) => !isPart(value));
  const parts = fields.filter(([, value]) => isPart(value));
  return [
    aligned(values.map(([name, value]) => [name, textOf(value)])),
    ...parts.flatMap(([name, value]) => {
      const text = Array.isArray(value) ? table(value, columns[name]) : details(value as Item, {}).join('');
      return [`\n${name}\n`, indented(text)];
    }),
  ];
}

function isPart(value: unknown): boolean {
  return Array.isArray(value) ? isObject(value[0]) : isObject(value);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function plainFields(items: readonly Item[]): string[] {
  const fields = items.flatMap((item) => Object.keys(item).filter((field) => !isObject(item[field])));
  return [...new Set(fields)];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => lengthOf(row[n]!))));
  const lines = rows.map((row) =>
    row.map((text, n) => text + ' '.repeat(widths[n]! - lengthOf(text))).join(INDENT),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

const lengthOf = (text: string) => [...text].length;

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

/** Names come from clients and agents: keeps control and direction characters off the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}');
}
