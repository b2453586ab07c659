import type { PanelEvent } from '../../sdk/src/generated/panel.js';

const NOON = Date.parse('2026-11-23T12:00:00.000Z');

const after = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

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
