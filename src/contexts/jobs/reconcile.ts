import type { Job } from './domain/job.state.js';

/** One line of an agent's journal, as it starts a session (agent-protocol.md). */
export interface JournalEntry {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly phase: 'leased' | 'accepted' | 'handing_off' | 'handed_off';
}

/** continue = same fence, new expiry; report = tell the outcome, start nothing; abandon = superseded or ended; forget = unknown. */
export type Verdict = 'continue' | 'report' | 'abandon' | 'forget';

/** What the agent is to do with what it holds. When in doubt it starts nothing, and tells what it knows. */
export function verdictOn(job: Job, computerId: string, entry: JournalEntry): Verdict {
  if (job.status === 'absent' || job.computerId !== computerId) return 'forget';
  const touched = entry.phase === 'handing_off' || entry.phase === 'handed_off';
  const current = job.lease?.leaseId === entry.lease_id && job.lease.fence === entry.fence;
  if (!current) return touched ? 'report' : 'abandon';
  switch (job.status) {
    case 'leased':
      return touched ? 'report' : 'continue';
    case 'accepted_by_agent':
      return touched || job.lease.phase === 'handed_off' ? 'report' : 'continue';
    case 'sent_to_spooler':
    case 'manual_review':
      return 'report';
    case 'spooler_completed':
      return 'forget';
    default:
      return touched ? 'report' : 'abandon';
  }
}
