import type { ListQuery } from './requests/list.query.js';

/** The page object of every Integration list (contract, section 2.1). */
export function page<T>(items: readonly T[], total: number, { limit, offset }: ListQuery) {
  return { items, count: items.length, total, limit, offset };
}
