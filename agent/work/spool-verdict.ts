import type { Sighting } from '../printers/provider.js';
import type { ReportType } from '../service/protocol.js';
import type { ReportDetails } from './reports.js';

export interface Watched {
  /** The run of the spooler at the last check. */
  readonly epoch: string;
  /** True if the job was ever printing. */
  readonly started: boolean;
  /** True if the spooler restarted with the job in it: what it says of the time before may be outdated. */
  readonly restarted: boolean;
}

export interface SpoolVerdict {
  readonly watched: Watched;
  readonly report?: { readonly type: ReportType; readonly details: ReportDetails };
  readonly ended: boolean;
}

/** Evaluates one check of a handed-off job. Never asserts that paper came out. */
export function spoolVerdict(before: Watched, sighting: Sighting, epoch: string): SpoolVerdict {
  const restarted = epoch !== before.epoch;
  const started = before.started || ('started' in sighting && sighting.started);
  const watched = { epoch, started, restarted: before.restarted || restarted };
  const message = 'message' in sighting ? sighting.message : undefined;
  const end = (type: ReportType, details: ReportDetails = {}): SpoolVerdict => ({
    watched,
    report: { type, details: { message, ...details } },
    ended: true,
  });
  switch (sighting.state) {
    case 'completed':
      return end('spooler_completed', { message: undefined });
    case 'cancelled':
      if (started)
        return end('spooler_failed', {
          failureCode: 'SPOOLER_CANCELLED_WHILE_PRINTING',
          failureClass: 'ambiguous',
        });
      return watched.restarted
        ? end('spooler_vanished', vanished(true))
        : end('spooler_cancelled', { failureCode: 'SPOOLER_CANCELLED_LOCALLY', failureClass: 'permanent' });
    case 'aborted':
      return end('spooler_failed', {
        failureCode: sighting.failureCode ?? 'SPOOLER_ABORTED',
        failureClass: 'ambiguous',
      });
    case 'absent':
      return end('spooler_vanished', vanished(restarted));
    default: // Still there. A restarted spooler prints a job again from its first page.
      return restarted && started
        ? { watched, report: { type: 'spooler_vanished', details: vanished(true) }, ended: false }
        : { watched, ended: false };
  }
}

export function vanished(restarted: boolean): ReportDetails {
  return {
    failureCode: restarted ? 'SPOOLER_RESTARTED' : 'SPOOLER_VANISHED',
    failureClass: 'ambiguous',
    message: restarted
      ? 'the spooler restarted with the job in it'
      : 'the spooler does not know the job any more',
  };
}
