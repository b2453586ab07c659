/** All items of a list: iterate over it, or fetch one page. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** The page of the filter's `offset` or `cursor`; default the first. */
  page(): Promise<Page>;
}

type ItemOf<Page extends { readonly items: readonly unknown[] }> = Page['items'][number];

/** Ids remembered while offsets shift. */
const REMEMBERED = 1_000;

interface OffsetPage {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly offset: number;
}

/** Gives no item twice, although a job created meanwhile moves the pages. */
export function listByOffset<Page extends OffsetPage, Query extends { offset?: number }>(
  id: `${string}_id`,
  query: Query,
  fetchPage: (query: Query) => Promise<Page>,
): List<ItemOf<Page>, Page> {
  async function* items(): AsyncGenerator<ItemOf<Page>> {
    const seen = new Set<unknown>();
    for (let { offset } = query; ;) {
      const page = await fetchPage({ ...query, offset });
      for (const item of page.items as readonly ItemOf<Page>[]) {
        const key = (item as Record<string, unknown>)[id];
        if (seen.has(key)) continue;
        seen.add(key);
        if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
        yield item;
      }
      offset = page.offset + page.items.length;
      if (page.items.length === 0 || offset >= page.total) return;
    }
  }
  return { page: () => fetchPage(query), [Symbol.asyncIterator]: items };
}

interface CursorPage {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

export function listByCursor<Page extends CursorPage, Query extends { cursor?: string }>(
  query: Query,
  fetchPage: (query: Query) => Promise<Page>,
): List<ItemOf<Page>, Page> {
  async function* items(): AsyncGenerator<ItemOf<Page>> {
    for (let { cursor } = query; ;) {
      const page = await fetchPage({ ...query, cursor });
      yield* page.items as readonly ItemOf<Page>[];
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }
  return { page: () => fetchPage(query), [Symbol.asyncIterator]: items };
}
