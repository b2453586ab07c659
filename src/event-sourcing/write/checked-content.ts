import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sha256 } from '../../kernel/ids.js';
import type { ContentPart, ContentStore } from '../ports/content-store.port.js';

/** A smaller document is read at once, a larger one in parts of one GridFS chunk. */
export const PART_BYTES = 255 * 1_024;

export interface ExpectedContent {
  readonly job_id: string;
  readonly content_hash: string;
  readonly content_size_bytes: number;
}

export type CheckedContent =
  | { readonly state: 'whole'; readonly body: Uint8Array | Readable }
  | { readonly state: 'missing' | 'damaged' };

/** Compares with the job's hash, except a part of a large document. @throws UnavailableError */
export async function readChecked(
  contents: ContentStore,
  { job_id: jobId, content_hash: hash, content_size_bytes: size }: ExpectedContent,
  part?: ContentPart,
): Promise<CheckedContent> {
  if (size <= PART_BYTES) {
    const bytes = await contents.get(jobId);
    if (!bytes) return { state: 'missing' };
    if (sha256(bytes) !== hash) return { state: 'damaged' };
    return { state: 'whole', body: part ? bytes.subarray(part.first, part.end) : bytes };
  }
  const { first, end } = part ?? { first: 0, end: size };
  const parts = (to: number) => partsOf(contents, jobId, { first, end: to });
  try {
    const found = createHash('sha256');
    for await (const bytes of parts(part ? first + 1 : end)) found.update(bytes);
    if (!part && found.digest('hex') !== hash) return { state: 'damaged' };
  } catch (error) {
    if (error instanceof BrokenOff) return { state: error.state };
    throw error;
  }
  return { state: 'whole', body: Readable.from(parts(end)) };
}

class BrokenOff extends Error {
  constructor(readonly state: 'missing' | 'damaged') {
    super('the document ended before its size');
  }
}

async function* partsOf(contents: ContentStore, jobId: string, { first, end }: ContentPart) {
  for (let at = first; at < end; at += PART_BYTES) {
    const part = { first: at, end: Math.min(at + PART_BYTES, end) };
    const bytes = await contents.get(jobId, part);
    if (bytes?.byteLength !== part.end - at) throw new BrokenOff(bytes ? 'damaged' : 'missing');
    yield bytes;
  }
}
