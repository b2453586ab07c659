/** As JSON brings it to another process, without the text. Frozen: readers share it, and a change throws. */
export function sent<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value) return JSON.parse(JSON.stringify(value)) as T;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => sent(item ?? null))) as T;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name];
    if (field === undefined) continue;
    // An assignment would not store it.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: sent(field), enumerable: true });
    else copy[name] = sent<unknown>(field);
  }
  return Object.freeze(copy) as T;
}
