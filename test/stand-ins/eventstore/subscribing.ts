import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { nameOf } from './event-encoding.js';
import { checkpointInterval, matcherOf } from './event-filter.js';
import type { EventLog } from './event-log.js';
import type { NodeState } from './node-state.js';
import type { ReadCall } from './read-call.js';
import { firstVisibleRevision, lastRevision } from './stored-stream.js';
import { Subscription, type Cursor } from './subscription.js';

/** Runs until the client leaves, the subscription is dropped or the stream is closed for ever. */
export async function subscribe(node: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const filter = options.getFilter();
  const subscription = new Subscription(node, call, {
    cursor: options.hasAll() ? cursorInAll(node.log, options) : cursorInStream(node.log, options),
    matches: matcherOf(filter, node.log),
    // source: AllSubscription, StreamSubscription – no checkpoints without a filter
    checkpointEvery: filter ? checkpointInterval(filter) : undefined,
  });
  node.subscriptions.add(subscription);
  node.counted.openSubscriptions += 1;
  call.onOver(() => {
    node.subscriptions.delete(subscription);
    node.counted.openSubscriptions -= 1;
  });
  await subscription.run();
}

/** After the position, never the event at it. source: Enumerator.AllSubscription */
function cursorInAll(log: EventLog, options: ReadReq.Options): Cursor {
  const all = options.getAll()!;
  let at = 0;
  if (all.hasEnd()) at = log.length;
  if (all.hasPosition()) at = log.ordinalFrom(Number(all.getPosition()!.getCommitPosition()) + 1);
  return { next: () => (at < log.length ? at++ : undefined), closedStream: () => undefined };
}

/** After the revision, never the event at it. source: Enumerator.StreamSubscription */
function cursorInStream(log: EventLog, options: ReadReq.Options): Cursor {
  const place = options.getStream()!;
  const name = nameOf(place.getStreamIdentifier());
  const stream = log.streamNamed(name);
  let at = 0;
  if (place.hasEnd()) at = lastRevision(stream) + 1;
  if (place.hasRevision()) at = Number(place.getRevision()) + 1;
  return {
    next() {
      at = Math.max(at, Math.min(firstVisibleRevision(stream), stream.ordinals.length));
      return at < stream.ordinals.length ? stream.ordinals[at++] : undefined;
    },
    closedStream: () => (stream.tombstoned ? name : undefined),
  };
}
