import type { Printer } from '../../sdk/src/generated/integration.js';
import type { Attention, Overview } from '../../sdk/src/generated/panel.js';

type Kind = Extract<Attention['kind'], `printer_${string}`>;

/** What the overview leads to, by its kind. */
const ONLY: Readonly<
  Record<Kind, readonly [text: string, of: (overview: Overview) => readonly OfPrinter[]]>
> = {
  printer_offline_with_jobs: [
    'Printers that are offline and have jobs',
    ({ printers_offline }) => printers_offline,
  ],
  printer_backlog: ['Printers that are behind', ({ printers_behind }) => printers_behind],
  printer_stuck: ['Printers that are stuck', ({ stuck_printers }) => stuck_printers],
};

interface OfPrinter {
  readonly printer_id: string;
}

export interface Only {
  readonly text: string;
  readonly isShown: (printer: Printer) => boolean;
}

/** The printers that an address asks for; undefined: all. */
export function onlyOf(kind: string, overview: Overview | undefined): Only | undefined {
  if (!Object.hasOwn(ONLY, kind) || !overview) return undefined;
  const [text, of] = ONLY[kind as Kind];
  const ids = new Set(of(overview).map(({ printer_id }) => printer_id));
  return { text, isShown: ({ printer_id }) => ids.has(printer_id) };
}
