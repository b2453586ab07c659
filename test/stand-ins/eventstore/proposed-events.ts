import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.js';
import type { ProposedEvent } from './event-encoding.js';
import { invalidArgument, metadataMissing, type RpcError } from './rpc-errors.js';

type Message = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An event as it came over the wire, or why it cannot be taken. source: Streams.Append */
export function proposedEvent(message: Message): { event: ProposedEvent } | { error: RpcError } {
  const id = message.getId()?.getString().toLowerCase() ?? '';
  if (!UUID.test(id)) return { error: invalidArgument(`'${id}' is not a UUID in its string form`) };
  const metadata = message.getMetadataMap();
  const type = metadata.get('type');
  if (type === undefined) return { error: metadataMissing('type') };
  const contentType = metadata.get('content-type');
  if (contentType === undefined) return { error: metadataMissing('content-type') };
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
}

export function expectedOf(options: ExpectationFields, revision: string): Expected {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(revision);
}
