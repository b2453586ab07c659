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
const MAX_DPI = 10_000;
const MAX_PAGES = 1_000_000;
const MAX_SHEET_MM = 5000;
const MAX_PERCENT = 100_000;

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
    ...(lease.traceparent !== undefined && { traceparent: lease.traceparent }),
  };
}

/** The reports at the beginning that share one trace, or have none: a call can name only one. */
export function ofOneTrace(reports: Report[]): Report[] {
  const end = reports.findIndex(({ traceparent }) => traceparent !== reports[0]?.traceparent);
  return end < 0 ? reports : reports.slice(0, end);
}

/** Within the bounds of the service, which would refuse the whole report: numbers beyond them are left out. */
function acceptable({ applied, ignored }: Receipt): Receipt {
  const { paper, tray, resolution_dpi, page_count, sheet_mm, drawn_percent, ...others } = applied;
  const isCount = (value: number | undefined, min: number, max: number): boolean =>
    Number.isInteger(value) && isWithin(value, min, max);
  const isSheet = sheet_mm?.length === 2 && sheet_mm.every((mm) => isWithin(mm, 0, MAX_SHEET_MM));
  const shown = (text: string | undefined): string | undefined =>
    displayable(text ?? '', MAX_NAME) || undefined;
  return {
    applied: {
      ...{ ...others, paper: shown(paper), tray: shown(tray) },
      ...(isCount(resolution_dpi, 1, MAX_DPI) && { resolution_dpi }),
      ...(isCount(page_count, 0, MAX_PAGES) && { page_count }),
      ...(isSheet && { sheet_mm }),
      ...(isWithin(drawn_percent, 0, MAX_PERCENT) && { drawn_percent }),
    },
    ignored: ignored
      .slice(0, MAX_IGNORED)
      .map(({ option, reason }) => ({ option, reason: displayable(reason, MAX_MESSAGE) || 'not applied' })),
  };
}

/** False for NaN. */
function isWithin(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && value >= min && value <= max;
}
