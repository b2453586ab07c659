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

/** Whether the failure that a job names is that of its present state: a job that is printed again keeps the old one. */
export const endedBadly = ({ status }: Pick<PrintJob, 'status'>): boolean =>
  status === 'failed' || status === 'manual_review' || status === 'expired';
