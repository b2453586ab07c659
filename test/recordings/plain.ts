/** A message as plain data. */
export type Plain = Readonly<Record<string, unknown>>;

/** An answer of Read. */
export interface Shown extends Plain {
  readonly event?: {
    readonly event: { readonly metadata: Readonly<Record<string, string>>; readonly data: string };
  };
  readonly checkpoint?: unknown;
  readonly caughtUp?: unknown;
  readonly streamNotFound?: unknown;
}

/** Written as base64 by `toObject`. */
const BYTES = ['streamName', 'data', 'customMetadata'];
const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString();

/** Keeps which field of each `oneof` is set and leaves out what is empty; bytes become text. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(
    // Fields that only clients of long ago read.
    ([key, inner]) => inner !== undefined && !key.includes('2060'),
  );
  return Object.fromEntries(
    fields.map(([key, inner]) => [key.replace(/Map$/, '').replace(/List$/, 's'), plainField(key, inner)]),
  );
}

function plainField(key: string, value: unknown): unknown {
  if (BYTES.includes(key) && typeof value === 'string') return decoded(value);
  return key.endsWith('Map') ? Object.fromEntries(value as [string, unknown][]) : plain(value);
}
