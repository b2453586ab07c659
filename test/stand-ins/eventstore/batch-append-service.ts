import type { ServerDuplexStream } from '@grpc/grpc-js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { refusalStatus, resultStatus, sizeStatus, type BatchStatus } from './batch-status.js';
import type { Expected } from './commit-check.js';
import { nameOf, streamIdentifier, type ProposedEvent } from './event-encoding.js';
import type { Written } from './event-log.js';
import type { NodeState } from './node-state.js';
import { expectedOf, proposedEvent, sizeOnDisk } from './proposed-events.js';
import { leaderInfo, unavailable } from './rpc-errors.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** An append whose last message has not come yet. */
interface Pending {
  readonly correlation: UUID;
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
  bytes: number;
}

/** One stream for all appends of a connection, told apart by their correlation ids. source: Streams.BatchAppend */
export const batchAppendTo = (node: NodeState) => (call: Call) => {
  const pending = new Map<string, Pending>();
  node.counted.openBatchStreams += 1;
  let open = true;
  const close = () => {
    if (open) node.counted.openBatchStreams -= 1;
    open = false;
  };
  call.once('cancelled', close);
  call.once('finish', close);
  call.on('data', (message: BatchAppendReq) => receive(node, call, pending, message));
  call.on('end', () => call.end());
};

function receive(node: NodeState, call: Call, pending: Map<string, Pending>, message: BatchAppendReq): void {
  const id = message.getCorrelationId()!.getString();
  if (message.hasOptions() && !pending.has(id)) pending.set(id, opened(message));
  const batch = pending.get(id);
  if (!batch) return;
  for (const proposed of message.getProposedMessagesList()) {
    const read = proposedEvent(proposed);
    if ('error' in read) return void call.emit('error', read.error);
    batch.bytes += sizeOnDisk(read.event);
    batch.events.push(read.event);
  }
  if (batch.bytes > node.maxAppendBytes) {
    pending.delete(id);
    call.write(failure(batch, sizeStatus(node.maxAppendBytes)));
  } else if (message.getIsFinal()) {
    pending.delete(id);
    node.counted.appendsReceived += 1;
    void finish(node, call, batch);
  }
}

function opened(message: BatchAppendReq): Pending {
  const options = message.getOptions()!;
  return {
    correlation: message.getCorrelationId()!,
    stream: nameOf(options.getStreamIdentifier()),
    expected: expectedOf(options, options.getStreamPosition()),
    events: [],
    bytes: 0,
  };
}

async function finish({ log, faults }: NodeState, call: Call, batch: Pending): Promise<void> {
  if (!(await faults.passes(call, ({ hangAppends }) => hangAppends))) return;
  const { notLeader } = faults.now;
  // source: Streams.BatchAppend, ConvertMessage – a named leader ends the whole stream
  if (notLeader) return void call.emit('error', leaderInfo(notLeader.host, notLeader.port));
  const refusal = refusalStatus(faults.now);
  if (refusal) return void call.write(failure(batch, refusal));
  const written = log.append(batch.stream, batch.expected, batch.events);
  if (written.kind === 'written' && faults.takes('loseReplies')) {
    if (faults.now.loseRepliesBy === 'unavailable') call.emit('error', unavailable('the reply was lost'));
    return;
  }
  if (written.kind === 'written') call.write(success(batch, written));
  else call.write(failure(batch, resultStatus(written, batch.stream, batch.expected)));
}

function success(batch: Pending, { revision, position }: Extract<Written, { kind: 'written' }>) {
  const success = new streams.BatchAppendResp.Success();
  if (revision < 0) success.setNoStream(new empty.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new empty.Empty());
  else {
    const at = new shared.AllStreamPosition();
    at.setCommitPosition(String(position));
    at.setPreparePosition(String(position));
    success.setPosition(at);
  }
  const response = addressed(batch);
  response.setSuccess(success);
  return response;
}

function failure(batch: Pending, error: BatchStatus): BatchAppendResp {
  const response = addressed(batch);
  response.setError(error);
  return response;
}

function addressed({ correlation, stream }: Pending): BatchAppendResp {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlation);
  response.setStreamIdentifier(streamIdentifier(stream));
  return response;
}
