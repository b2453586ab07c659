import { createHash } from 'node:crypto';

/** Stream name of an aggregate: `<category>-<id>`; the category is camelCase without a dash. */
export function streamOf(category: string, id: string): string {
  return `${category}-${id}`;
}

export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** Lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
