import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { type Options, paperName } from '../send/options.js';

type Applied = NonNullable<PrintJob['receipt']>['applied'];

export interface ReceiptRow {
  readonly label: string;
  /** Undefined: left to the printer. */
  readonly asked: string | undefined;
  /** Undefined: the Agent does not know. */
  readonly printed: string | undefined;
}

const LABELS = {
  paper: 'Paper',
  sheet_mm: 'Sheet',
  tray: 'Tray',
  duplex: 'Sides',
  color: 'Color',
  scale: 'Size',
  drawn_percent: 'Drawn at',
  orientation: 'Orientation',
  rotate: 'Turned clockwise',
  pages: 'Pages',
  page_count: 'Number of pages',
  collate: 'Copies in order',
  resolution_dpi: 'Resolution',
} as const satisfies Record<Exclude<keyof Options, 'unsupported'> | keyof Applied, string>;

type Field = keyof typeof LABELS;

/** A row for each option that was asked for or reported. */
export function receiptRows(options: PrintJob['options'], applied: Applied | undefined): ReceiptRow[] {
  const asked: Partial<Record<Field, unknown>> = options ?? {};
  const printed: Partial<Record<Field, unknown>> = applied ?? {};
  return (Object.keys(LABELS) as Field[])
    .filter((field) => asked[field] !== undefined || printed[field] !== undefined)
    .map((field) => ({
      label: LABELS[field],
      asked: wordOf(field, asked[field]),
      printed: wordOf(field, printed[field]),
    }));
}

function wordOf(field: Field, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return `${value.join(' × ')} mm`;
  if (typeof value === 'object') {
    const { width_mm, height_mm } = value as { readonly width_mm: number; readonly height_mm: number };
    return `${width_mm} × ${height_mm} mm`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  switch (field) {
    case 'paper':
      return paperName(text);
    case 'drawn_percent':
      return `${text} %`;
    case 'resolution_dpi':
      return `${text} dpi`;
    case 'rotate':
      return `${text}°`;
    default:
      return text;
  }
}
