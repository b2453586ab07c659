import type { PrintJob } from '../../sdk/src/generated/integration.js';

/** Colour and mark of a status. */
export type Tone = 'waiting' | 'moving' | 'done' | 'failed' | 'decision' | 'off';

/** Mark and word of each status. */
export const JOB_STATUS: Readonly<
  Record<PrintJob['status'], { readonly tone: Tone; readonly word: string }>
> = {
  created: { tone: 'waiting', word: 'created' },
  queued: { tone: 'waiting', word: 'queued' },
  leased: { tone: 'moving', word: 'leased' },
  accepted_by_agent: { tone: 'moving', word: 'with the Agent' },
  sent_to_spooler: { tone: 'moving', word: 'in the spooler' },
  spooler_completed: { tone: 'done', word: 'spooler finished' },
  failed: { tone: 'failed', word: 'failed' },
  manual_review: { tone: 'decision', word: 'needs a decision' },
  cancelled: { tone: 'off', word: 'cancelled' },
  expired: { tone: 'off', word: 'expired' },
};
