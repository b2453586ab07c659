import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sha256 } from '../../kernel/ids.js';
import type { ContentPart, ContentStore } from '../ports/content-store.port.js';

/** A document up to this size is read at once; larger ones in parts of it, which is a chunk of GridFS. */
export const PART_BYTES = 255 * 1_024;

/** What the job says of its document. */
export interface ExpectedContent {
  readonly job_id: string;
  /** SHA-256 in lower-case hex. */
  readonly content_hash: string;
  readonly content_size_bytes: number;
}

export type CheckedContent =
  | { readonly state: 'whole'; readonly body: Uint8Array | Readable }
  | { readonly state: 'missing' | 'damaged' };

/**
 * The document of a job, or a part of it, compared with the hash its job was created with. A large document is read
 * twice, first to compare it, and takes the memory of a few parts. A part of a large one is not compared: its reader
 * has to compare the whole. A stream fails if the document vanishes or shrinks meanwhile.
 * @throws UnavailableError when the content store does not answer
 */
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
