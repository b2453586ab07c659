import type {
  AllStreamResolvedEvent,
  JSONRecordedEvent,
  RecordedEvent as ClientEvent,
} from '@eventstore/db-client';
import type { EventMetadata, Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { positionFromNumber } from '../../write/event-codec.js';
import { CorruptEventError } from '../../../kernel/errors.js';

/** Both are equal for events written over gRPC, but differ for transactions and perhaps for checkpoints. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export function isAfter(one: LogPosition, other: LogPosition): boolean {
  return one.commit > other.commit || (one.commit === other.commit && one.prepare > other.prepare);
}

/** The server's value for an unknown position: -1 as an unsigned number. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn;

export function logPosition(position: Position): LogPosition {
  const number = BigInt(position);
  return { commit: number, prepare: number };
}

export function positionOf(at: LogPosition | undefined): Position {
  if (at === undefined || at.commit === NO_POSITION) {
    throw new Error('this EventStoreDB tells no positions of events in streams; 22.6 or later does');
  }
  return positionFromNumber(at.commit);
}

/** Includes links. */
export function isOfTheSystem({ type, streamId }: Pick<ClientEvent, 'type' | 'streamId'>): boolean {
  return type.startsWith('$') || streamId.startsWith('$');
}

export function oursOf(resolved: AllStreamResolvedEvent): ClientEvent | undefined {
  const { event } = resolved;
  return event && !isOfTheSystem(event) ? event : undefined;
}

/** @throws CorruptEventError */
export function recordedOf(event: ClientEvent): RecordedEvent {
  const { id, streamId: stream, type, isJson, data, metadata } = event as JSONRecordedEvent;
  const revision = Number(event.revision);
  const position = positionOf(event.position);
  if (!isJson || !isObject(data) || !isOurs(metadata))
    throw new CorruptEventError(stream, revision, position, { type });
  return { id, stream, revision, position, type, data, metadata };
}

/** The client returns invalid JSON as text. */
function isObject(data: unknown): data is object {
  return typeof data === 'object' && data !== null;
}

function isOurs(metadata: unknown): metadata is EventMetadata {
  return isObject(metadata) && 'schemaVersion' in metadata && typeof metadata.schemaVersion === 'number';
}
