import { isOrWasOf, type Job } from './domain/job.state.js';

/** A line of an agent's journal (docs/agent-protocol.md). */
export interface JournalEntry {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly phase: 'leased' | 'accepted' | 'handing_off' | 'handed_off';
}

/** continue = same fence, new expiry; report = report the outcome; abandon = superseded; forget = unknown. */
export type Verdict = 'continue' | 'report' | 'abandon' | 'forget';

export function isTouched({ phase }: JournalEntry): boolean {
  return phase === 'handing_off' || phase === 'handed_off';
}

/** In doubt the agent starts nothing and reports what it knows. */
export function verdictOn(
  job: Job,
  agent: { computerId: string; sessionId: string },
  entry: JournalEntry,
): Verdict {
  if (job.status === 'absent' || !isOrWasOf(job, agent.computerId)) return 'forget';
  const touched = isTouched(entry);
  const current = job.lease?.leaseId === entry.lease_id && job.lease.fence === entry.fence;
  if (!current) return touched ? 'report' : 'abandon';
  // A newer session has taken the lease over.
  const untouched = job.lease.sessionId === agent.sessionId ? 'continue' : 'abandon';
  switch (job.status) {
    case 'leased':
      return touched ? 'report' : untouched;
    case 'accepted_by_agent':
      return touched || job.lease.phase === 'handed_off' ? 'report' : untouched;
    case 'sent_to_spooler':
    case 'manual_review':
      return 'report';
    case 'spooler_completed':
      return 'forget';
    default:
      return touched ? 'report' : 'abandon';
  }
}
