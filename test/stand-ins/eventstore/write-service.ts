import { setTimeout as passed } from 'node:timers/promises';
import type { sendUnaryData, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  AppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.js';
import { nameOf, placed, proposedEvent, sizeOnDisk } from './event-encoding.js';
import type { Written } from './event-log.js';
import type { NodeState } from './node-state.js';
import * as errors from './rpc-errors.js';

const { AppendResp: AppendResponse } = streams;

type AppendCall = ServerReadableStream<AppendReq, AppendResp>;
type RemovalCall = ServerUnaryCall<DeleteReq, DeleteResp> | ServerUnaryCall<TombstoneReq, TombstoneResp>;
type Answered = Extract<Written, { kind: 'written' | 'wrong-version' }>;

/**
 * The client-streaming append: options first, then one message an event. One whose client dies before it has said that
 * it is whole writes nothing; it ends here too, and is cancelled in the same turn. source: Streams.Append
 */
export const appendTo = (node: NodeState) => (call: AppendCall, reply: sendUnaryData<AppendResp>) => {
  node.counted.appendsReceived += 1;
  const messages: AppendReq[] = [];
  call.on('data', (message: AppendReq) => messages.push(message));
  call.on('end', () =>
    setImmediate(() => call.cancelled || errors.answer(reply, () => append(node, call, messages))),
  );
};

/** source: Streams.Delete */
export const deleteFrom =
  (node: NodeState) => (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>) =>
    errors.answer(reply, async () => {
      const position = await remove(node, call, node.log.softDelete.bind(node.log));
      return new streams.DeleteResp().setPosition(placed(new streams.DeleteResp.Position(), position));
    });

/** source: Streams.Tombstone */
export const tombstoneIn =
  (node: NodeState) =>
  (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, reply: sendUnaryData<TombstoneResp>) =>
    errors.answer(reply, async () => {
      const position = await remove(node, call, node.log.tombstone.bind(node.log));
      return new streams.TombstoneResp().setPosition(placed(new streams.TombstoneResp.Position(), position));
    });

/** Undefined when there is nothing to answer. */
async function append(
  node: NodeState,
  call: AppendCall,
  [first, ...rest]: readonly AppendReq[],
): Promise<AppendResp | undefined> {
  const options = first?.getOptions();
  if (!options) throw errors.invalidArgument('the first message of an append is its options');
  const expected = expectedOf(options);
  const events = rest.map((message) => proposedEvent(message.getProposedMessage()!));
  const size = events.reduce((bytes, event) => bytes + sizeOnDisk(event), 0);
  if (size > node.version.maxAppendBytes) throw errors.appendTooLarge(node.version);
  const written = await write(node, call, options.getStreamIdentifier(), (stream) =>
    node.log.append(stream, expected, events),
  );
  if (written.kind === 'wrong-version') return conflict(expected, written.current);
  const { faults } = node;
  if (!faults.takes('loseReplies')) return success(written);
  if (faults.now.loseRepliesBy === 'unavailable') throw errors.unavailable('the reply was lost');
  return undefined;
}

/** Answers where the deletion stands. */
async function remove(
  node: NodeState,
  call: RemovalCall,
  run: (stream: string, expected: Expected) => Promise<Written>,
): Promise<number> {
  const options = call.request.getOptions()!;
  const expected = expectedOf(options);
  const identifier = options.getStreamIdentifier();
  const written = await write(node, call, identifier, (stream) => run(stream, expected));
  if (written.kind === 'written') return written.position;
  // source: ExpectedVersion
  const version =
    typeof expected === 'number' ? expected : { no_stream: -1, any: -2, stream_exists: -4 }[expected];
  throw errors.wrongExpectedVersion(nameOf(identifier), version, written.current);
}

async function write(
  node: NodeState,
  call: AppendCall | RemovalCall,
  identifier: StreamIdentifier | undefined,
  run: (stream: string) => Promise<Written>,
): Promise<Answered> {
  const { faults } = node;
  await faults.passes(call, ({ hangAppends }) => hangAppends);
  errors.refuse(node, errors.requiresLeader(call.metadata));
  const stream = nameOf(identifier);
  const written = await run(stream);
  if (written.kind === 'deleted') throw errors.streamDeleted(stream);
  if (written.kind !== 'in-flight') return written;
  await passed(faults.now.commitTimeoutMs);
  throw errors.commitTimeout();
}

/** What requests of all kinds say about the stream they expect. */
interface ExpectationFields {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
  hasRevision(): boolean;
  getRevision(): string;
}

function expectedOf(options: ExpectationFields): Expected {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  if (options.hasRevision()) return Number(options.getRevision());
  const oneOf = 'EventStore.Client.Streams.AppendReq+Types+Options+ExpectedStreamRevisionOneofCase';
  throw errors.invalidArgument(`'None' is not a valid ${oneOf}`);
}

function success({ revision, position }: Extract<Written, { kind: 'written' }>): AppendResp {
  const success = new AppendResponse.Success().setPosition(placed(new AppendResponse.Position(), position));
  if (revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  return new AppendResponse().setSuccess(success);
}

/** An ordinary reply, not an error of the call. */
function conflict(expected: Expected, current: number): AppendResp {
  const wrong = new AppendResponse.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  return new AppendResponse().setWrongExpectedVersion(wrong);
}
