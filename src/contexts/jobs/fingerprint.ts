import { sha256 } from '../../kernel/ids.js';
import type { JobDraft, Reprint } from './coordinated.commands.js';

/** Ignores key order, white space and explicit defaults; `expiresAt` and options count only if given. */
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
      // Keys used before options existed must match.
      ...(draft.options ? [draft.options] : []),
    ]),
  );
}

export function fingerprintOfReprint({ jobId, printerId }: Reprint): string {
  return sha256(JSON.stringify(['reprint', jobId, printerId ?? null]));
}

export function fingerprintOfRetry(jobId: string, reason: string | undefined): string {
  return sha256(JSON.stringify([jobId, reason ?? null]));
}
