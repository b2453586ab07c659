import { webcrypto } from 'node:crypto';
import { sha256 } from '../../kernel/ids.js';
import type { ContentStore } from '../../ports/content-store.port.js';

/** Larger documents are hashed in the thread pool: 64 KiB hold the event loop for about 0.1 ms. */
const LARGEST_INLINE_BYTES = 65_536;

export type CheckedContent =
  { readonly state: 'whole'; readonly bytes: Uint8Array } | { readonly state: 'missing' | 'damaged' };

/**
 * The document of a job, compared with the hash its job was created with.
 * @param hash SHA-256 in lower-case hex
 * @throws UnavailableError when the content store does not answer
 */
export async function readChecked(
  contents: ContentStore,
  jobId: string,
  hash: string,
): Promise<CheckedContent> {
  const bytes = await contents.get(jobId);
  if (!bytes) return { state: 'missing' };
  return (await hashOf(bytes)) === hash ? { state: 'whole', bytes } : { state: 'damaged' };
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= LARGEST_INLINE_BYTES) return sha256(bytes);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
