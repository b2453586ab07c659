/** More would take seconds, and a frozen server must be detected within seconds. */
const MAX_WRITES = 1_000;
const MAX_BYTES = 4 * 1_024 * 1_024;

/** Ordered by id, so that concurrent bulks lock in one order. @param sizeOf bytes */
export function bulksOf<Write extends { readonly _id: string }>(
  writes: readonly Write[],
  sizeOf: (write: Write) => number = () => 0,
): readonly (readonly Write[])[] {
  const bulks: Write[][] = [];
  let size = 0;
  for (const write of [...writes].sort(byId)) {
    const bulk = bulks.at(-1);
    size += sizeOf(write);
    if (bulk && bulk.length < MAX_WRITES && size <= MAX_BYTES) bulk.push(write);
    else {
      bulks.push([write]);
      size = sizeOf(write);
    }
  }
  return bulks;
}

function byId(a: { readonly _id: string }, b: { readonly _id: string }): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
}
