import { sha256 } from '../../kernel/ids.js';
import type { JobDraft } from './submit-job.command.js';

/**
 * SHA-256 over the canonical request after defaults: key order, white space and a `copies` of 1
 * that is given or absent make no difference. `expiresAt` counts only if the client gave one, as an instant.
 */
export function fingerprintOfDraft(draft: JobDraft): string {
  return sha256(
    JSON.stringify([
      draft.printerId,
      draft.contentType,
      draft.contentHash,
      draft.copies,
      draft.externalId ?? null,
      draft.title ?? null,
      draft.expiresAt ?? null,
    ]),
  );
}

export function fingerprintOfRetry(jobId: string, reason: string | undefined): string {
  return sha256(JSON.stringify([jobId, reason ?? null]));
}
