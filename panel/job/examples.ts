import type { PrintJob } from '../../sdk/src/generated/integration.js';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';

const NOON = Date.parse('2026-11-23T12:00:00.000Z');

export const after = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

const device = { kind: 'device', id: 'computer-1', name: 'FRONT-DESK' } as const;

type Given = readonly [type: string, seconds: number, data?: object, actor?: PanelEvent['actor']];

/** Stored events of one job, in order. */
export function events(...given: readonly Given[]): readonly PanelEvent[] {
  return given.map(([type, seconds, data = {}, actor = device], revision) => ({
    event_id: `event-${revision}`,
    type,
    stream: 'job-1',
    revision,
    position: String(revision),
    recorded_at: after(seconds),
    data,
    metadata: {},
    actor,
  }));
}

/** A job of Till 1 on FRONT-DESK. */
export function job(status: PrintJob['status'], more: Partial<PrintJob> = {}): PrintJob {
  return {
    contract: 'svc_job_v1',
    environment: 'live',
    job_id: 'job-1',
    printer_id: 'printer-1',
    printer_name: 'Till 1',
    computer_name: 'FRONT-DESK',
    content_type: 'pdf',
    content_hash: 'ab',
    content_size_bytes: 18_000,
    copies: 1,
    status,
    attempt_count: 1,
    retry_count: 0,
    max_auto_retries: 3,
    retry_state: 'none',
    created_at: after(0),
    updated_at: after(60),
    expires_at: after(86_400),
    duration_ms: 0,
    is_final: false,
    can_cancel: false,
    can_retry: false,
    ...more,
  };
}
