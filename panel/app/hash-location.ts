import { useSyncExternalStore } from 'react';

/** What follows `#`: the page and its filters, as in `/jobs?status=failed`. */
const address = () => location.hash.replace(/^#?\/?/, '/');
const partOf = (part: 0 | 1) => () => address().split('?')[part] ?? '';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

const path = partOf(0);
const search = partOf(1);

/** Opens a page; with `replace` the way back leads past it. */
function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) location.replace(`#${to}`);
  else location.hash = to;
}

/** The page, for wouter. Its own hook keeps filters before the `#`, where they would be sent to the service. */
export const useHashPath = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(subscribe, path), navigate],
  { hrefs: (href: string) => `#${href}` },
);

/** The filters of the page, for wouter. */
export const useHashSearch = () => useSyncExternalStore(subscribe, search);
