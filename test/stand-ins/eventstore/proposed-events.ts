import type { AppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.js';
import type { ProposedEvent } from './event-encoding.js';
import { handlerThrew, invalidArgument, metadataMissing, type RpcError } from './rpc-errors.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An event as it came over the wire, or why it cannot be taken. source: Streams.Append */
export function proposedEvent(
  message: AppendReq.ProposedMessage,
): { event: ProposedEvent } | { error: RpcError } {
  const id = message.getId()?.getString().toLowerCase() ?? '';
  if (!UUID.test(id)) return { error: handlerThrew() };
  const metadata = message.getMetadataMap();
  const type = metadata.get('type');
  if (type === undefined) return { error: metadataMissing('type') };
  const contentType = metadata.get('content-type');
  if (contentType === undefined) return { error: metadataMissing('content-type') };
  if (type === '') return { error: handlerThrew() };
  return {
    event: {
      id,
      type,
      contentType,
      data: message.getData_asU8(),
      metadata: message.getCustomMetadata_asU8(),
    },
  };
}

/** source: Event.SizeOnDisk – the name of the type counts as UTF-16 */
export const sizeOnDisk = ({ type, data, metadata }: ProposedEvent): number =>
  data.length + metadata.length + 2 * type.length;

/** What requests of all kinds say about the stream they expect. */
interface ExpectationFields {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
  hasRevision(): boolean;
  getRevision(): string;
}

/** Undefined without an expectation. */
export function expectedOf(options: ExpectationFields): Expected | undefined {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasRevision() ? Number(options.getRevision()) : undefined;
}

export const noExpectation = () =>
  invalidArgument(
    "'None' is not a valid EventStore.Client.Streams.AppendReq+Types+Options+ExpectedStreamRevisionOneofCase",
  );
