import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import rpcStatus from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { Expected } from './commit-check.js';
import { streamIdentifier } from './event-encoding.js';
import type { Written } from './event-log.js';
import type { Faults } from './faults.js';

/** What went wrong with one append of a batch stream. source: Status.cs (Google.Rpc) */
export type BatchStatus = Status;

type Code = Parameters<Status['setCode']>[0];

function packed(message: string, at: Code, details: { serializeBinary(): Uint8Array }, typeName: string) {
  const wrapped = new any.Any();
  wrapped.pack(details.serializeBinary(), typeName);
  const status = new rpcStatus.Status();
  status.setCode(at);
  status.setMessage(message);
  status.setDetails(wrapped);
  return status;
}

/** The texts differ from those of the unary call. source: Streams.BatchAppend, ConvertMessage */
export function refusalStatus({ notReady, busy, notLeader }: Faults): Status | undefined {
  const refused = (message: string) =>
    packed(message, code.Code.OK, new empty.Empty(), 'google.protobuf.Empty');
  if (notReady) return refused('Server Is Not Ready');
  if (busy) return refused('Server Is Busy');
  return notLeader === null ? refused('No leader info available in response') : undefined;
}

export function resultStatus(
  written: Exclude<Written, { kind: 'written' }>,
  stream: string,
  expected: Expected,
): Status {
  if (written.kind === 'deleted') {
    const deleted = new shared.StreamDeleted();
    deleted.setStreamIdentifier(streamIdentifier(stream));
    return packed('StreamDeleted', code.Code.NOT_FOUND, deleted, 'event_store.client.StreamDeleted');
  }
  const wrong = new shared.WrongExpectedVersion();
  if (written.current < 0) wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(String(written.current));
  if (expected === 'any') wrong.setExpectedAny(new empty.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new empty.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  const typeName = 'event_store.client.WrongExpectedVersion';
  return packed('WrongExpectedVersion', code.Code.ALREADY_EXISTS, wrong, typeName);
}

export function sizeStatus(maxBytes: number): Status {
  const exceeded = new shared.MaximumAppendSizeExceeded();
  exceeded.setMaxappendsize(maxBytes);
  const typeName = 'event_store.client.MaximumAppendSizeExceeded';
  return packed('MaximumAppendSizeExceeded', code.Code.INVALID_ARGUMENT, exceeded, typeName);
}
