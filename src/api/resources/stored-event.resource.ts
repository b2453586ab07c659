import { bodyHash } from '../../evidence/entry.js';
import { Field } from '../../http/validation/field.js';
import { count, dateTime, shaped, text, uuid } from '../../http/validation/rules.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

export class StoredEvent {
  @Field(uuid()) event_id!: string;
  @Field(text({ max: 80 })) type!: string;
  @Field(text({ max: 200 })) stream!: string;
  @Field(count, { description: 'Position in its stream' }) revision!: number;
  @Field(text({ max: 20 }), { description: 'Position among all events' }) position!: string;
  @Field(dateTime()) recorded_at!: Instant;
  @Field(shaped({ type: 'object' })) data!: object;
  @Field(shaped({ type: 'object' }), { description: 'Actor, ids and time' }) metadata!: object;

  static readonly example: StoredEvent = {
    event_id: '01990000-0000-7000-8000-000000000005',
    type: 'JobCancelled',
    stream: 'job-01990000-0000-7000-8000-000000000006',
    revision: 1,
    position: '00000000000000000042',
    recorded_at: '2026-11-23T12:00:00.000Z',
    data: {},
    metadata: { actor: { kind: 'member', id: '01990000-0000-7000-8000-000000000001' } },
  };
}

/** Of an event as it is exported. An import compares it, because a changed text would not fit the evidence log. */
export function exportedHash({
  id,
  type,
  data,
  metadata,
}: Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>) {
  return bodyHash({ id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) });
}

export function storedEvent(event: RecordedEvent): StoredEvent {
  const { id, type, stream, revision, position, data, metadata } = event;
  return { event_id: id, type, stream, revision, position, recorded_at: metadata.at, data, metadata };
}
