import type { ContentPart } from '../../../event-sourcing/index.js';

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** Parses one range (RFC 9110, section 14); several ranges or another unit yield the whole document. */
export function byteRange(header: string | undefined, size: number): ContentPart | 'whole' | 'unsatisfiable' {
  const match = header === undefined ? null : RANGE.exec(header);
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const [, from, to] = match as unknown as [string, string, string];
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, end: size };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= size) return 'unsatisfiable';
  return { first, end: to === '' ? size : Math.min(Number(to) + 1, size) };
}
