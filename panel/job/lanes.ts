import type { PanelEvent } from '../../sdk/src/generated/panel.js';

export const LANES = ['Service', 'Agent', 'Spooler'] as const;
export type Lane = (typeof LANES)[number];

/** One event of a job, as drawn. */
export interface LaneRow {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** Since the first event. */
  readonly offsetMs: number;
  /** Since the event before, if that is more than a second. */
  readonly pauseMs?: number;
  readonly from: Lane;
  /** Present for a line; a dot stays in `from`. */
  readonly to?: Lane;
  readonly text: string;
  readonly actor: string;
  /** What somebody wrote or reported. */
  readonly reason?: string;
  readonly isKnown: boolean;
  /** From the next row on the document may have been printed. */
  readonly isHandoff: boolean;
  readonly needsDecision: boolean;
}

/** The rows of one attempt; attempt 0 is the time before the first lease. */
export interface LaneGroup {
  readonly attempt: number;
  readonly summary: string;
  readonly rows: readonly LaneRow[];
}

type Data = Readonly<Record<string, unknown>>;

interface Drawing {
  readonly from: Lane;
  readonly to?: Lane;
  text(data: Data): string;
}

const inService = (text: string | ((data: Data) => string)): Drawing => ({
  from: 'Service',
  text: typeof text === 'string' ? () => text : text,
});
const inAgent = (text: string): Drawing => ({ from: 'Agent', text: () => text });
const line = (from: Lane, to: Lane, text: string | ((data: Data) => string)): Drawing => ({
  ...inService(text),
  from,
  to,
});

/** How each stored event of a job is drawn; other types are unknown to this page. */
const DRAWINGS: Readonly<Record<string, Drawing>> = {
  JobCreated: inService('created'),
  JobQueued: inService('queued'),
  JobLeased: line('Service', 'Agent', 'leased'),
  LeaseLapsed: inService(({ reason }) =>
    reason === 'session_replaced'
      ? 'lease lapsed: the Agent started anew'
      : 'lease lapsed: the Agent was silent',
  ),
  LeaseReleased: line('Agent', 'Service', 'released by the Agent'),
  LeaseKept: inService('lease kept over a restart of the Agent'),
  LeaseInvalidated: inService('lease withdrawn'),
  JobAccepted: inAgent('accepted, hash verified'),
  HandoffStarted: inAgent('hand-off started'),
  JobSpooled: line('Agent', 'Spooler', 'in the spooler'),
  JobCompleted: line('Spooler', 'Service', ({ late }) =>
    late ? 'spooler finished (late result)' : 'spooler finished',
  ),
  JobFailed: inService(({ failureCode }) => `failed: ${String(failureCode)}`),
  RetryScheduled: inService(({ retryDelaySeconds }) => `retry in ${String(retryDelaySeconds)} s`),
  JobRequeued: inService(({ cause }) => (cause === 'manual' ? 'queued again by a person' : 'queued again')),
  ManualReviewOpened: inService(({ failureCode }) => `needs a decision: ${String(failureCode)}`),
  JobCancelled: inService('cancelled'),
  JobExpired: inService('expired'),
  LateResultRecorded: line(
    'Agent',
    'Service',
    ({ report, fence }) => `late result of attempt ${String(fence)}: ${String(report)}`,
  ),
  ContentPurged: inService('document removed'),
  JobArchived: inService('archived: lists no longer show it'),
  JobMoved: inService(
    ({ printerName, computerName }) => `moved to ${String(printerName)} on ${String(computerName)}`,
  ),
  JobReprinted: inService(({ reprintId }) => `printed again as job ${String(reprintId)}`),
};

const LONG_PAUSE_MS = 1_000;

/** Draws the stored events in their order, one row each, grouped by attempt. */
export function lanesOf(events: readonly PanelEvent[]): readonly LaneGroup[] {
  const groups: { attempt: number; rows: LaneRow[] }[] = [];
  events.forEach((event, n) => {
    const last = groups.at(-1);
    const row = rowOf(event, events[n - 1], events[0]!);
    const attempt = event.type === 'JobLeased' ? Number((event.data as Data)['fence']) : 0;
    // What is queued again waits for the next attempt.
    if (!last) groups.push({ attempt, rows: [row] });
    else if (event.type === 'JobRequeued') groups.push({ attempt: last.attempt + 1, rows: [row] });
    else if (attempt > 0 && !awaitsLease(last.rows)) groups.push({ attempt, rows: [row] });
    else {
      last.rows.push(row);
      if (attempt > 0) last.attempt = attempt;
    }
  });
  return groups.map((group) => ({ ...group, summary: summaryOf(group.rows) }));
}

const awaitsLease = (rows: readonly LaneRow[]) =>
  rows[0]?.type === 'JobRequeued' && !rows.some(({ type }) => type === 'JobLeased');

function rowOf(event: PanelEvent, before: PanelEvent | undefined, first: PanelEvent): LaneRow {
  const data = event.data as Data;
  const drawing = isReportedFailure(event) ? { ...DRAWINGS.JobFailed!, ...REPORTED } : DRAWINGS[event.type];
  const pauseMs = before ? between(before, event) : 0;
  const reason = [data['reason'], data['message']].find((text) => typeof text === 'string' && text !== '');
  return {
    id: event.event_id,
    type: event.type,
    at: event.recorded_at,
    offsetMs: between(first, event),
    ...(pauseMs > LONG_PAUSE_MS && { pauseMs }),
    from: drawing?.from ?? 'Service',
    ...(drawing?.to && { to: drawing.to }),
    text: drawing?.text(data) ?? event.type,
    actor: event.actor.name,
    ...(reason !== undefined && event.type !== 'LeaseLapsed' && { reason: String(reason) }),
    isKnown: drawing !== undefined,
    isHandoff: event.type === 'HandoffStarted',
    needsDecision: event.type === 'ManualReviewOpened',
  };
}

const REPORTED = { from: 'Agent', to: 'Service' } as const;

/** A failure that the Agent reported, not one that the service found out. */
function isReportedFailure({ type, data }: PanelEvent): boolean {
  return type === 'JobFailed' && (data as Data)['reportId'] !== undefined;
}

const between = (a: PanelEvent, b: PanelEvent) =>
  Math.max(0, Date.parse(b.recorded_at) - Date.parse(a.recorded_at));

/** What is certain about an attempt when its rows are closed. */
function summaryOf(rows: readonly LaneRow[]): string {
  const types = new Set(rows.map(({ type }) => type));
  if (types.has('JobCompleted')) return 'the spooler finished';
  if (types.has('JobFailed') || types.has('LeaseLapsed') || types.has('LeaseReleased'))
    return 'certainly not printed';
  if (types.has('ManualReviewOpened') || types.has('HandoffStarted')) return 'may have been printed';
  return 'not printed';
}
