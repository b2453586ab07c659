import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.js';
import { nameOf, type ProposedEvent } from './event-encoding.js';
import type { Written } from './event-log.js';
import type { NodeState } from './node-state.js';
import { expectedOf, noExpectation, proposedEvent, sizeOnDisk } from './proposed-events.js';
import {
  appendTooLarge,
  commitTimeout,
  invalidArgument,
  requiresLeader,
  streamDeleted,
  unavailable,
  writeRefusal,
  type RpcError,
} from './rpc-errors.js';
import type { Version } from './versions.js';

type Call = ServerReadableStream<AppendReq, AppendResp>;

/** An append as it comes in, message by message. */
interface Incoming {
  stream: string;
  expected: Expected;
  readonly events: ProposedEvent[];
  bytes: number;
}

/** The client-streaming append: options first, then one message an event. source: Streams.Append */
export const appendTo = (node: NodeState) => (call: Call, reply: sendUnaryData<AppendResp>) => {
  node.counted.appendsReceived += 1;
  let incoming: Incoming | undefined;
  let refused: RpcError | undefined;
  call.on('data', (message: AppendReq) => {
    if (refused) return;
    if (incoming) refused = take(message, incoming, node.version);
    else [incoming, refused] = opened(message);
    if (refused) reply(refused);
  });
  call.on('end', () => {
    if (refused || !incoming) return;
    void finish(node, call, incoming, reply);
  });
};

function opened(message: AppendReq): [Incoming | undefined, RpcError | undefined] {
  const options = message.getOptions();
  if (!options) return [undefined, invalidArgument('the first message of an append is its options')];
  const expected = expectedOf(options);
  if (expected === undefined) return [undefined, noExpectation()];
  return [{ stream: nameOf(options.getStreamIdentifier()), expected, events: [], bytes: 0 }, undefined];
}

function take(message: AppendReq, incoming: Incoming, version: Version): RpcError | undefined {
  const proposed = message.getProposedMessage();
  if (!proposed) return invalidArgument('an append carries events after its options');
  const read = proposedEvent(proposed);
  if ('error' in read) return read.error;
  incoming.bytes += sizeOnDisk(read.event);
  if (incoming.bytes > version.maxAppendBytes) return appendTooLarge(version);
  incoming.events.push(read.event);
  return undefined;
}

async function finish(
  node: NodeState,
  call: Call,
  { stream, expected, events }: Incoming,
  reply: sendUnaryData<AppendResp>,
): Promise<unknown> {
  const { log, faults } = node;
  if (!(await faults.passes(call, ({ hangAppends }) => hangAppends))) return;
  const refusal = writeRefusal(node, requiresLeader(call.metadata));
  if (refusal) return reply(refusal);
  const written = await log.append(stream, expected, events);
  if (written.kind === 'in-flight') return setTimeout(reply, faults.now.commitTimeoutMs, commitTimeout());
  if (written.kind === 'written' && faults.takes('loseReplies')) {
    if (faults.now.loseRepliesBy === 'unavailable') reply(unavailable('the reply was lost'));
    return;
  }
  if (written.kind === 'deleted') return reply(streamDeleted(stream));
  reply(null, written.kind === 'written' ? success(written) : conflict(expected, written.current));
}

function success({ revision, position }: Extract<Written, { kind: 'written' }>): AppendResp {
  const success = new streams.AppendResp.Success();
  if (revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  success.setPosition(at);
  const response = new streams.AppendResp();
  response.setSuccess(success);
  return response;
}

/** An ordinary reply, not an error of the call. */
function conflict(expected: Expected, current: number): AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  const response = new streams.AppendResp();
  response.setWrongExpectedVersion(wrong);
  return response;
}
