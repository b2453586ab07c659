import { hash } from 'node:crypto';

/** `<category>-<id>`; the category is camelCase without a dash. */
export function streamOf(category: string, id: string): string {
  return `${category}-${id}`;
}

export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

let last = { stream: '', id: '' };

/** Caches, because the same string again has its hash already. */
export function idOf(stream: string): string {
  if (stream !== last.stream) last = { stream, id: stream.slice(stream.indexOf('-') + 1) };
  return last.id;
}

/** Lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export const UUID_BYTES = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** @param hex of 16 bytes, in any case @throws TypeError */
export function uuidOfHex(hex: unknown): string {
  if (typeof hex !== 'string' || hex.length !== 2 * UUID_BYTES) throw new TypeError('no UUID');
  const digits = hex.toLowerCase();
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The only source of ids and secrets. */
export abstract class Randomness {
  /** UUID version 7, lower case. */
  abstract uuid(): string;
  abstract bytes(count: number): Uint8Array;
}
