import type { DomainEvent, EventMetadata, Recorded } from '../../src/kernel/recorded-event.js';
import { plus } from '../../src/kernel/time.js';

export const NOON = '2026-11-21T12:00:00.000Z';

export const metadata: EventMetadata = {
  actor: { kind: 'operator', id: 'operator' },
  correlationId: 'correlation-1',
  at: NOON,
  schemaVersion: 1,
};

/** Recorded events of one stream, one second apart, starting at noon. */
export function recorded<E extends DomainEvent>(stream: string, ...events: E[]): Recorded<E>[] {
  return events.map((event, revision) => recordedAt(plus(NOON, revision * 1000), stream, revision, event));
}

export function recordedAt<E extends DomainEvent>(at: string, stream: string, revision: number, event: E) {
  return {
    id: `00000000-0000-7000-8000-${String(revision).padStart(12, '0')}`,
    stream,
    revision,
    position: String(revision + 1).padStart(20, '0'),
    type: event.type,
    data: event.data,
    metadata: { ...metadata, at },
  } as unknown as Recorded<E>;
}
