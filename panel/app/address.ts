import { useLocation, useSearch } from 'wouter';

/** Filters that are kept in the address, so that a link shows the same list. */
export function useFilters<K extends string>(
  path: string,
  names: readonly K[],
): readonly [Readonly<Record<K, string>>, (changes: Partial<Record<K, string>>) => void] {
  const given = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const filters = Object.fromEntries(names.map((name) => [name, given.get(name) ?? ''])) as Record<K, string>;
  const change = (changes: Partial<Record<K, string>>) => {
    const next = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
    const text = new URLSearchParams(next as [string, string][]).toString();
    navigate(text ? `${path}?${text}` : path, { replace: true });
  };
  return [filters, change];
}
