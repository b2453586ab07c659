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

/** The only source of ids and secrets. */
export abstract class Randomness {
  /** UUID version 7, lower case. */
  abstract uuid(): string;
  abstract bytes(count: number): Uint8Array;
}
