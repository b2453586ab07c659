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
 * spooler has no job and was never reached by a hand-off, and it did not restart since. CUPS saves its jobs up to half a
 * minute late, so after a power cut one that was printed may be there without its document, or as never started.
 */
export function settlement(sighting: Sighting, evidence: HandOffEvidence): Settlement {
  const { restarted, withdrawn } = evidence;
  const reached = evidence.numbered || evidence.doubtful;
  const unprinted = restarted && reached ? 'restarted' : 'not_submitted';
  switch (sighting.state) {
    case 'empty':
      return withdrawn ? unprinted : 'withdraw';
    case 'cancelled':
      return withdrawn && !sighting.started ? unprinted : 'spooled';
    case 'aborted':
      return sighting.started ? 'spooled' : unprinted;
    case 'absent':
      if (restarted) return 'restarted';
      return reached ? 'vanished' : 'not_submitted';
    default:
      return 'spooled';
  }
}
