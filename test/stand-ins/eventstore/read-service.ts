import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { nameOf, streamIdentifier } from './event-encoding.js';
import { matcherOf } from './event-filter.js';
import type { EventLog } from './event-log.js';
import type { NodeState } from './node-state.js';
import { ReadCall, type RawReadCall } from './read-call.js';
import * as errors from './rpc-errors.js';
import { isAbsent, isHidden, type StoredStream } from './stored-stream.js';
import { commitOf, subscribe } from './subscribing.js';

/** Reads and subscriptions are one method. source: Streams.Read */
export const readFrom =
  (node: NodeState) =>
  (raw: RawReadCall): void => {
    const call = new ReadCall(raw);
    const options = raw.request.getOptions()!;
    if (!options.hasSubscription()) countRead(node, call, options);
    void answer(node, raw, call, options);
  };

function countRead({ counted }: NodeState, call: ReadCall, options: ReadReq.Options): void {
  counted.readsReceived += 1;
  if (options.hasAll() && options.getReadDirection() === BACKWARDS) counted.headReads += 1;
  counted.openReads += 1;
  call.onOver(() => (counted.openReads -= 1));
}

async function answer(
  node: NodeState,
  raw: RawReadCall,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<void> {
  try {
    await node.faults.passes(raw, ({ hangReads }) => hangReads);
    errors.refuseRead(node, errors.requiresLeader(raw.metadata));
    if (options.hasSubscription()) await subscribe(node, call, options);
    else if (options.hasAll()) await readAll(node, call, options);
    else await readStream(node, call, options);
  } catch (error) {
    call.fail(errors.asRpcError(error));
  }
}

const BACKWARDS = streams.ReadReq.Options.ReadDirection.BACKWARDS;

/** Reads forwards from a position (inclusive) or backwards from before it (server source: AllReader). */
async function readAll(node: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const { log } = node;
  const step = options.getReadDirection() === BACKWARDS ? -1 : 1;
  const filter = options.getFilter();
  // The server never answers a search window of 0.
  if (filter?.hasMax() && filter.getMax() === 0) return;
  const matches = matcherOf(filter, log);
  const start = startInAll(node, options.getAll()!, step);
  let left = Number(options.getCount());
  let ordinal = start - (step < 0 ? 1 : 0);
  for (; left > 0 && ordinal >= 0 && ordinal < log.length && !call.over; ordinal += step) {
    if (!matches(ordinal)) continue;
    left -= 1;
    const slow = call.send(log.responseAt(ordinal));
    if (slow) await slow;
  }
  call.end();
}

/** Ordinal of the first event that is not before the place asked for. @throws for a place that is none */
function startInAll(
  { log, version: { details } }: NodeState,
  all: ReadReq.Options.AllOptions,
  step: 1 | -1,
): number {
  if (all.hasStart()) return 0;
  if (all.hasEnd()) return log.length;
  const commit = commitOf(all.getPosition()!);
  if (commit >= log.end && step > 0) return log.length;
  if (commit >= log.end) throw errors.unknown(details.beyondEnd(String(commit), log.end));
  if (!log.isPlace(commit)) throw errors.unknown(details.insideRecord(commit));
  return log.ordinalFrom(commit);
}

async function readStream(node: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const { log, version } = node;
  const place = options.getStream()!;
  const name = nameOf(place.getStreamIdentifier());
  const backwards = options.getReadDirection() === BACKWARDS;
  if (place.hasEnd() && !backwards) throw errors.unknown(version.details.readFromEnd);
  if (Number(options.getCount()) === 0) throw errors.unknown(version.details.readNone);
  const stream = log.find(name);
  if (stream?.shown.tombstoned) throw errors.streamDeleted(name);
  if (!stream || isAbsent(stream)) {
    void call.send(notFound(name));
    return call.end();
  }
  const last = stream.shown.length - 1;
  const asked = place.hasRevision() ? Number(place.getRevision()) : place.hasEnd() ? last : 0;
  if (!backwards && asked > last) void call.send(streamPosition('first', last + 1));
  const from = backwards ? Math.min(asked, last) : asked;
  await sendEvents(log, call, stream, { from, step: backwards ? -1 : 1, count: Number(options.getCount()) });
  void call.send(streamPosition('last', last));
  call.end();
}

async function sendEvents(
  log: EventLog,
  call: ReadCall,
  stream: StoredStream,
  { from, step, count }: { from: number; step: 1 | -1; count: number },
): Promise<void> {
  let left = count;
  for (let at = from; left > 0 && at >= 0 && at < stream.shown.length && !call.over; at += step) {
    const ordinal = stream.ordinals[at]!;
    if (isHidden(stream, at, log.createdAtOf(ordinal))) continue;
    left -= 1;
    const slow = call.send(log.responseAt(ordinal));
    if (slow) await slow;
  }
}

const { ReadResp } = streams;

/** A message of the read, not an error. source: ReadStreamForwards, ReadStreamResult.NoStream */
const notFound = (name: string) =>
  new ReadResp()
    .setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name)))
    .serializeBinary();

/** Where a stream ends, said behind its events; or where it would go on, said to a read behind its end. */
function streamPosition(which: 'first' | 'last', revision: number): Uint8Array {
  const response = new ReadResp();
  if (which === 'first') response.setFirstStreamPosition(String(revision));
  else response.setLastStreamPosition(String(revision));
  return response.serializeBinary();
}
