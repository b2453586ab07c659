import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { nameOf, streamIdentifier } from './event-encoding.js';
import { matcherOf } from './event-filter.js';
import type { NodeState } from './node-state.js';
import { ReadCall, type RawReadCall } from './read-call.js';
import { invalidArgument, readRefusal, streamDeleted } from './rpc-errors.js';
import { firstVisibleRevision, isAbsent, lastRevision, type StoredStream } from './stored-stream.js';
import { subscribe } from './subscribing.js';

/** Reads and subscriptions are one method. source: Streams.Read */
export const readFrom =
  (node: NodeState) =>
  (raw: RawReadCall): void => {
    const call = new ReadCall(raw);
    const options = raw.request.getOptions()!;
    if (options.hasSubscription()) node.counted.subscriptionsOpened += 1;
    else countRead(node, call);
    void answer(node, raw, call, options);
  };

function countRead({ counted }: NodeState, call: ReadCall): void {
  counted.readsReceived += 1;
  counted.openReads += 1;
  call.onOver(() => (counted.openReads -= 1));
}

async function answer(
  node: NodeState,
  raw: RawReadCall,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<void> {
  if (!(await node.faults.passes(raw, ({ hangReads }) => hangReads))) return;
  const refusal = readRefusal(node.faults.now, call.requiresLeader);
  if (refusal) return call.fail(refusal);
  if (!options.getUuidOption()?.hasString()) {
    return call.fail(invalidArgument('this server speaks of ids as strings only'));
  }
  try {
    if (options.hasSubscription()) await subscribe(node, call, options);
    else if (options.hasAll()) await readAll(node, call, options);
    else await readStream(node, call, options);
  } catch (error) {
    call.fail(invalidArgument(String(error)));
  }
}

const BACKWARDS = streams.ReadReq.Options.ReadDirection.BACKWARDS;

/** Forwards from a position on, backwards from before it. source: AllReader – backwards positions lie behind a record */
async function readAll({ log }: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const step = options.getReadDirection() === BACKWARDS ? -1 : 1;
  const matches = matcherOf(options.getFilter(), log);
  let left = Number(options.getCount());
  let ordinal = startInAll(log.length, options.getAll()!, log.ordinalFrom.bind(log)) - (step < 0 ? 1 : 0);
  for (; left > 0 && ordinal >= 0 && ordinal < log.length && !call.over; ordinal += step) {
    if (!matches(ordinal)) continue;
    left -= 1;
    const slow = call.send(log.responseAt(ordinal));
    if (slow) await slow;
  }
  call.end();
}

/** Ordinal of the first event that is not before the place asked for. */
function startInAll(
  length: number,
  all: ReadReq.Options.AllOptions,
  ordinalFrom: (position: number) => number,
): number {
  if (all.hasStart()) return 0;
  return all.hasEnd() ? length : ordinalFrom(Number(all.getPosition()!.getCommitPosition()));
}

async function readStream({ log }: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const name = nameOf(options.getStream()!.getStreamIdentifier());
  const stream = log.find(name);
  if (stream?.tombstoned) return call.fail(streamDeleted(name));
  if (!stream || isAbsent(stream)) {
    void call.send(notFound(name));
    return call.end();
  }
  const { from, step } = startInStream(stream, options);
  const first = firstVisibleRevision(stream);
  let left = Number(options.getCount());
  for (let at = from; left > 0 && at >= first && at <= lastRevision(stream) && !call.over; at += step) {
    const ordinal = stream.ordinals[at]!;
    if (isTooOld(stream, log.createdAtOf(ordinal))) continue;
    left -= 1;
    const slow = call.send(log.responseAt(ordinal));
    if (slow) await slow;
  }
  call.end();
}

/** A place beyond the ends is moved to the end it lies at. source: IndexReader.ReadStreamEventsForward, …Backward */
function startInStream(stream: StoredStream, options: ReadReq.Options): { from: number; step: 1 | -1 } {
  const place = options.getStream()!;
  const last = lastRevision(stream);
  const asked = place.hasRevision() ? Number(place.getRevision()) : place.hasEnd() ? last : 0;
  if (options.getReadDirection() === BACKWARDS) return { from: Math.min(asked, last), step: -1 };
  return { from: Math.max(asked, firstVisibleRevision(stream)), step: 1 };
}

/** source: IndexReader – $maxAge hides events, it does not free the name */
const isTooOld = ({ metadata }: StoredStream, created: number): boolean =>
  metadata.$maxAge !== undefined && created < Date.now() - metadata.$maxAge * 1_000;

/** A message of the read, not an error. source: ReadStreamForwards, ReadStreamResult.NoStream */
function notFound(name: string): Uint8Array {
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(streamIdentifier(name));
  const response = new streams.ReadResp();
  response.setStreamNotFound(missing);
  return response.serializeBinary();
}
