import type { Printer } from '../../sdk/src/generated/integration.js';
import { pageWith } from '../jobs/filters.js';
import type { NavigationPage } from './pages.js';

export type Destination =
  | { readonly kind: 'page'; readonly path: string; readonly page: NavigationPage }
  | { readonly kind: 'printer'; readonly path: string; readonly printer: Printer }
  | { readonly kind: 'search'; readonly path: string };

const MAX_PRINTERS = 6;

/**
 * Where a text leads, in this order: pages that begin with it, printers of just this name, the search for it, and other
 * printers that begin with it.
 */
export function destinations(
  typed: string,
  pages: readonly NavigationPage[],
  printers: readonly Printer[],
  searchPath: string,
): readonly Destination[] {
  const begins = (text: string) => text.toLowerCase().startsWith(typed.toLowerCase());
  const found = pages
    .filter(({ title }) => begins(title))
    .map((page) => ({ kind: 'page' as const, path: page.path, page }));
  if (typed === '') return found;
  const named = printers
    .filter(({ name }) => begins(name))
    .map((printer) => ({
      kind: 'printer' as const,
      path: `/devices/printers/${printer.printer_id}`,
      printer,
    }));
  const isWhole = ({ printer }: (typeof named)[number]) => printer.name.length === typed.length;
  return [
    ...found,
    ...named.filter(isWhole).slice(0, MAX_PRINTERS),
    { kind: 'search', path: pageWith({ q: typed }, searchPath) },
    ...named.filter((one) => !isWhole(one)).slice(0, MAX_PRINTERS),
  ];
}
