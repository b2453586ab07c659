import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.js';
import { nameOf } from './event-encoding.js';
import type { Written } from './event-log.js';
import type { NodeState } from './node-state.js';
import { expectedOf, noExpectation } from './proposed-events.js';
import {
  commitTimeout,
  requiresLeader,
  streamDeleted,
  writeRefusal,
  wrongExpectedVersion,
  type RpcError,
} from './rpc-errors.js';

/** source: Streams.Delete */
export const deleteFrom =
  (node: NodeState) =>
  (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>): void =>
    void remove(node, call, (stream, expected) => node.log.softDelete(stream, expected)).then((removed) => {
      if (removed === undefined) return;
      if ('code' in removed) return reply(removed);
      const at = new streams.DeleteResp.Position();
      at.setCommitPosition(removed.position);
      at.setPreparePosition(removed.position);
      const response = new streams.DeleteResp();
      response.setPosition(at);
      reply(null, response);
    });

/** source: Streams.Tombstone */
export const tombstoneIn =
  (node: NodeState) =>
  (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, reply: sendUnaryData<TombstoneResp>): void =>
    void remove(node, call, (stream, expected) => node.log.tombstone(stream, expected)).then((removed) => {
      if (removed === undefined) return;
      if ('code' in removed) return reply(removed);
      const at = new streams.TombstoneResp.Position();
      at.setCommitPosition(removed.position);
      at.setPreparePosition(removed.position);
      const response = new streams.TombstoneResp();
      response.setPosition(at);
      reply(null, response);
    });

type RemovalCall = ServerUnaryCall<DeleteReq, DeleteResp> | ServerUnaryCall<TombstoneReq, TombstoneResp>;

/** Undefined when the client has given up. */
async function remove(
  node: NodeState,
  call: RemovalCall,
  write: (stream: string, expected: Expected) => Promise<Written>,
): Promise<{ position: string } | RpcError | undefined> {
  if (!(await node.faults.passes(call, ({ hangAppends }) => hangAppends))) return undefined;
  const refusal = writeRefusal(node, requiresLeader(call.metadata));
  if (refusal) return refusal;
  const options = call.request.getOptions()!;
  const stream = nameOf(options.getStreamIdentifier());
  const expected = expectedOf(options);
  if (expected === undefined) return noExpectation();
  const written = await write(stream, expected);
  if (written.kind === 'in-flight') return commitTimeout();
  if (written.kind === 'deleted') return streamDeleted(stream);
  if (written.kind === 'wrong-version') {
    return wrongExpectedVersion(stream, versionNumber(expected), written.current);
  }
  return { position: String(written.position) };
}

/** source: ExpectedVersion */
function versionNumber(expected: Expected): number {
  if (typeof expected === 'number') return expected;
  return { no_stream: -1, any: -2, stream_exists: -4 }[expected];
}
