/** As JSON brings it to another process, without the text. Frozen: readers share it, and a change throws. */
export function sent<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value) return JSON.parse(JSON.stringify(value)) as T;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => sent(item ?? null))) as T;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  // A field may be named `__proto__`, which an assignment would not store.
  return Object.freeze(Object.fromEntries(fields.map(([name, field]) => [name, sent<unknown>(field)]))) as T;
}
