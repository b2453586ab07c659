import type { Sighting } from '../printers/provider.js';

/** What to say of a hand-off whose end is not known. */
export type Settlement = 'spooled' | 'withdraw' | 'not_submitted' | 'vanished' | 'restarted';

export interface HandOffEvidence {
  /** The spooler's number is in the journal, so the document may have been sent. */
  readonly numbered: boolean;
  /** The spooler restarted since, and may have forgotten a job that it printed. */
  readonly restarted: boolean;
  /** We have taken back a job that had no document. */
  readonly withdrawn: boolean;
  /** The journal was damaged, so the document may have been sent. */
  readonly doubtful: boolean;
}

/**
 * Only what is certain to be unprinted is `not_submitted`: a job that never had its document or never began, or no
 * job at all in a spooler that did not restart and was never told to expect one.
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
