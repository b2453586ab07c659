import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { handlerThrew, metadataMissing } from './rpc-errors.js';

/** An event on its way into the log. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** One that the server writes itself. */
export const systemEvent = (type: string, data: Buffer): ProposedEvent => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data,
  metadata: Buffer.alloc(0),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An event as it came over the wire. @throws why it cannot be taken. source: Streams.Append */
export function proposedEvent(message: AppendReq.ProposedMessage): ProposedEvent {
  const id = message.getId()?.getString().toLowerCase() ?? '';
  if (!UUID.test(id)) throw handlerThrew();
  const headers = message.getMetadataMap();
  const type = headers.get('type');
  if (type === undefined) throw metadataMissing('type');
  const contentType = headers.get('content-type');
  if (contentType === undefined) throw metadataMissing('content-type');
  if (type === '') throw handlerThrew();
  const [data, metadata] = [message.getData_asU8(), message.getCustomMetadata_asU8()];
  return { id, type, contentType, data, metadata };
}

/** source: Event.SizeOnDisk – the name of the type counts as UTF-16 */
export const sizeOnDisk = ({ type, data, metadata }: ProposedEvent): number =>
  data.length + metadata.length + 2 * type.length;

export interface Placed extends ProposedEvent {
  readonly stream: string;
  readonly revision: string;
  readonly position: number;
  /** Milliseconds since the Unix epoch. */
  readonly created: number;
}

/**
 * The `ReadResp` that every read and subscription sends for this event, made once when it is stored.
 * source: Enumerators.ConvertToRecordedEvent, ResolvedEvent.CalculatePosition – commit = prepare = log offset.
 */
export function encodeReadResponse(event: Placed): Uint8Array {
  const recorded = placed(new streams.ReadResp.ReadEvent.RecordedEvent(), event.position)
    .setId(uuid(event.id))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(event.revision)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', `${event.created}0000`); // .NET ticks of 100 ns, since the Unix epoch
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(read).serializeBinary();
}

/** Of events written over gRPC both positions are the same. */
export function placed<P extends Place>(place: P, position: number): P {
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  return place;
}

interface Place {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
}

export const uuid = (id: string) => new shared.UUID().setString(id);

export const streamIdentifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name));

export const nameOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
