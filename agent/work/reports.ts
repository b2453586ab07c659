import { v5 as uuidOf } from 'uuid';
import { displayable } from '../service/displayable.js';
import type { FailureClass, Lease, Receipt, Report, ReportType } from '../service/protocol.js';

export interface ReportDetails {
  spoolerProvider?: string;
  spoolerJobId?: string;
  failureCode?: string;
  failureClass?: FailureClass;
  message?: string;
  receipt?: Receipt;
}

const NAMESPACE = '3f0c9a56-8a43-5d0e-9d53-6a2f0c7b1e11';
const MAX_MESSAGE = 240;
const MAX_NAME = 120;
const MAX_IGNORED = 40;

/**
 * Derives the id from the content, so that a repeat after a crash counts as the same event.
 */
export function reportOf(
  lease: Lease,
  type: ReportType,
  occurredAt: Date,
  details: ReportDetails = {},
): Report {
  return {
    event_id: uuidOf(`${lease.document_name}:${type}`, NAMESPACE),
    job_id: lease.job_id,
    lease_id: lease.lease_id,
    fence: lease.fence,
    type,
    occurred_at: occurredAt.toISOString(),
    spooler_provider: details.spoolerProvider,
    spooler_job_id: details.spoolerJobId,
    failure_code: details.failureCode,
    failure_class: details.failureClass,
    message: displayable(details.message ?? '', MAX_MESSAGE) || undefined,
    ...(details.receipt && acceptable(details.receipt)),
  };
}

/** Within the bounds of the service, which would refuse the whole report. */
function acceptable({ applied, ignored }: Receipt): Receipt {
  const { paper, tray, ...others } = applied;
  const shown = (text: string | undefined): string | undefined =>
    displayable(text ?? '', MAX_NAME) || undefined;
  return {
    applied: { ...others, paper: shown(paper), tray: shown(tray) },
    ignored: ignored
      .slice(0, MAX_IGNORED)
      .map(({ option, reason }) => ({ option, reason: displayable(reason, MAX_MESSAGE) || 'not applied' })),
  };
}
