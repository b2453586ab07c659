import type { Sighting } from '../printers/provider.js';

/** Outcome of an interrupted hand-off. */
export type Settlement = 'spooled' | 'withdraw' | 'not_submitted' | 'vanished' | 'restarted';

export interface HandOffEvidence {
  /** The spooler's number is in the journal, so the document may have been sent. */
  readonly numbered: boolean;
  /** The spooler restarted since and may have lost a printed job. */
  readonly restarted: boolean;
  /** We cancelled a job without a document. */
  readonly withdrawn: boolean;
  /** The journal was damaged, so the document may have been sent. */
  readonly doubtful: boolean;
}

/**
 * Returns `not_submitted` only if nothing can have been printed: the job has no document or never started, or the
 * spooler has no job, did not restart and was never reached by a hand-off.
 */
export function settlement(sighting: Sighting, evidence: HandOffEvidence): Settlement {
  switch (sighting.state) {
    case 'empty':
      return evidence.withdrawn ? 'not_submitted' : 'withdraw';
    case 'cancelled':
      return evidence.withdrawn && !sighting.started ? 'not_submitted' : 'spooled';
    case 'aborted':
      return sighting.started ? 'spooled' : 'not_submitted';
    case 'absent':
      if (evidence.restarted) return 'restarted';
      return evidence.numbered || evidence.doubtful ? 'vanished' : 'not_submitted';
    default:
      return 'spooled';
  }
}
