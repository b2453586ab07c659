import { createHash } from 'node:crypto';
import type { Lease } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';

const TRIES = 3;
/** Larger documents are downloaded at their turn only: an Agent may hold 64 of up to 10 MB. */
export const LARGE_BYTES = 1_000_000;

export class ContentDamaged extends Error {
  constructor(lease: Lease) {
    super(`the content of ${lease.document_name} did not match its hash in ${TRIES} downloads`);
    this.name = 'ContentDamaged';
  }
}

/** Downloads the document and verifies its size and SHA-256 against the lease. */
export async function download(client: ServiceClient, lease: Lease, signal: AbortSignal): Promise<Buffer> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const bytes = await client.content(lease, signal);
    if (matches(bytes, lease)) return bytes;
  }
  throw new ContentDamaged(lease);
}

function matches(bytes: Buffer, { content_size_bytes, content_hash }: Lease): boolean {
  if (bytes.length !== content_size_bytes) return false;
  return createHash('sha256').update(bytes).digest('hex') === content_hash.toLowerCase();
}
