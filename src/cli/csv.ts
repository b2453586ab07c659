import { type Columns, type Item, plainFields, valueAt } from './display.js';

/** RFC 4180 with the columns of the table, and times as the API has them; an object is one row of its plain fields. */
export function csv(data: unknown, columns: Columns = {}): string {
  const { items } = data as { items?: readonly Item[] };
  const rows = Array.isArray(items) ? items : [data as Item];
  const fields = (Array.isArray(items) ? columns.items : undefined) ?? plainFields(rows);
  return line(fields) + csvLines(rows, fields);
}

export const csvLines = (rows: readonly Item[], fields: readonly string[]) =>
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
