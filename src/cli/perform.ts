import { ask, eventPages, type Item, itemsOf } from './ask.js';
import { type Command, isWatchable, type Output, type Values } from './command.js';
import { type Columns, displayed, jsonOf, plainFields, printableLines, table, valueAt } from './display.js';
import { resolveIds } from './ids.js';
import { CallFailed, type OperatorClient, UsageFailed } from './operator-client.js';
import { nextChange, watch } from './watch.js';

const USUAL_WATCH_SECONDS = 3_600;

/** Resolves to the exit code. @throws CallFailed */
export async function perform(
  client: OperatorClient,
  command: Command,
  given: Values,
  output: Output,
): Promise<number> {
  refuseFieldOfOne(command, given);
  const resolved = await resolveIds(client, command, given);
  const { values } = resolved;
  if (command.pages === 'lines') {
    let isFirst = true;
    for await (const page of eventPages(client, command, values)) {
      await output.out(linesOf(page, command, output, isFirst));
      isFirst = false;
    }
    return 0;
  }
  const show = (data: object) => shown(data, command, values, output);
  const answer = () => ask(client, command, resolved);
  if (values.watch) {
    const wait = (after: string, seconds: number) => nextChange(client, resolved, after, seconds);
    const watched = { wait, ask: answer, show, sent: () => client.sent };
    return watch(watched, Number(values.for ?? USUAL_WATCH_SECONDS), output);
  }
  const data = await (command.work?.(client, own(command, values), output) ?? answer());
  if (data === undefined) return 0;
  try {
    await output.out(show(data));
  } catch (error) {
    // It has happened, and what it answered may be shown only once.
    if (error instanceof CallFailed && !isWatchable(command)) await output.out(wholeJson(data, output));
    throw error;
  }
  const judged = 'items' in data ? itemsOf(data) : [data as Item];
  return judged.some((item) => command.fails?.(item)) ? 1 : 0;
}

/** Several files answer with `items`. @throws UsageFailed */
function refuseFieldOfOne({ args = [] }: Command, given: Values): void {
  const { field } = given;
  if (field === undefined || /^items(\.|$)/.test(String(field))) return;
  if (args.some((arg) => arg.many && (given[arg.field] as readonly string[]).length > 1))
    throw new UsageFailed(
      `several files have no one field ${String(field)}`,
      `Name the field of one of them: items.0.${String(field)}.`,
    );
}

/** Without the flags that say how the answer is shown. */
const own = ({ args = [], flags = [] }: Command, values: Values): Values =>
  Object.fromEntries([...args, ...flags].map(({ field }) => [field, values[field]]));

function shown(data: object, { columns, rows }: Command, { field }: Values, output: Output): string {
  if (field !== undefined) return `${fieldOf(data, String(field), output)}\n`;
  if (output.format === 'table') return displayed(data, columns, lookOf(output));
  if (output.format === 'json') return wholeJson(data, output);
  return plain(
    rows ? csv({ items: (data as Item)[rows] }, { items: columns![rows]! }) : csv(data, columns),
    output,
  );
}

const wholeJson = (data: object, { readable }: Output) => `${jsonOf(data, readable, 2)}\n`;

/** What clients wrote must not steer a terminal. */
const plain = (text: string, { readable }: Output) => (readable ? printableLines(text) : text);

function fieldOf(data: object, field: string, output: Output): string {
  const value = valueAt(data, field);
  if (typeof value === 'string') return plain(value, output);
  if (value !== undefined) return jsonOf(value, output.readable);
  throw new CallFailed(
    `the answer has no field ${field}`,
    `Choose one of ${Object.keys(data).join(', ')}, or of what is in them, as items.0.status.`,
  );
}

/** JSON lines, or a part of a table. */
function linesOf(page: readonly Item[], { columns }: Command, output: Output, isFirst: boolean): string {
  const fields = columns?.items ?? plainFields(page);
  if (output.format === 'table' && columns) return table(page, fields, lookOf(output));
  if (output.format === 'csv')
    return plain(isFirst ? csv({ items: page }, columns) : csvLines(page, fields), output);
  return page.map((item) => `${jsonOf(item, output.readable)}\n`).join('');
}

const lookOf = ({ readable, width, hasColours }: Output) => ({
  now: Date.now(),
  ...(readable && { width, hasColours }),
});

/** RFC 4180 with the columns of the table, and times as the API has them; an object is one row of its plain fields. */
function csv(data: unknown, columns: Columns = {}): string {
  const { items } = data as { items?: readonly Item[] };
  const rows = Array.isArray(items) ? items : [data as Item];
  const fields = (Array.isArray(items) ? columns.items : undefined) ?? plainFields(rows);
  return line(fields) + csvLines(rows, fields);
}

const csvLines = (rows: readonly Item[], fields: readonly string[]) =>
  rows.map((row) => line(fields.map((field) => valueAt(row, field)))).join('');

const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`;

/** https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return cell(value.join(' '));
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  const defused = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}
