const POSITION = /^(commitPosition|preparePosition)$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

type Rename = (value: string, key: string) => string;

/** Replaces what changes from run to run: `<run>`, `<id 1>`, `<pos 3>`, `<time>`. The order of positions is kept. */
export function normalised<T>(steps: T, prefix: string): T {
  const positions = new Set<string>();
  renamed(steps, (value, key) => {
    if (POSITION.test(key)) positions.add(value);
    return value;
  });
  const sorted = [...positions].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const places = new Map(sorted.map((position, n) => [position, position === '0' ? '0' : `<pos ${n + 1}>`]));
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
    return ids.get(id)!;
  };
  return renamed(steps, (value, key) => {
    if (POSITION.test(key)) return places.get(value)!;
    return key === 'created' ? '<time>' : value.replaceAll(prefix, '<run>').replace(UUID, idOf);
  }) as T;
}

function renamed(value: unknown, rename: Rename, key = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, rename, key));
  if (typeof value === 'string') return rename(value, key);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamed(inner, rename, name)]),
  );
}
