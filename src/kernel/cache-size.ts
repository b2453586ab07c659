/**
 * Options of an LRU cache that grows with its entries. With `max` they allocate all of it at once:
 * 5 MB and some 20 ms of each start.
 */
export const growingTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
