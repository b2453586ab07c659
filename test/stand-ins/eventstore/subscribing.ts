import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { checkpointInterval, matcherOf } from './event-filter.js';
import type { EventLog } from './event-log.js';
import type { NodeState } from './node-state.js';
import type { ReadCall } from './read-call.js';
import { invalidPosition, unimplemented } from './rpc-errors.js';
import { Subscription, type Cursor } from './subscription.js';

type AllOptions = ReadReq.Options.AllOptions;

/** Runs until the client leaves or the subscription is dropped. */
export async function subscribe(node: NodeState, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const all = options.getAll();
  if (!all) throw unimplemented();
  if (isInvalid(node.log, all)) throw invalidPosition(node.version);
  const filter = options.getFilter();
  const subscription = new Subscription(node, call, {
    next: cursorOf(node.log, all),
    matches: matcherOf(filter, node.log),
    // source: AllSubscription – no checkpoints without a filter
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

function isInvalid(log: EventLog, all: AllOptions): boolean {
  if (!all.hasPosition()) return false;
  const commit = commitOf(all.getPosition()!);
  return commit < log.end && !log.isPlace(commit);
}

/**
 * After the position, never the event at it, even when the log has yet to grow to it. If a scavenge took that event,
 * the next one is skipped in its place. source: Enumerator.AllSubscription.Subscribe; seen on 23.10.8
 */
function cursorOf(log: EventLog, all: AllOptions): Cursor {
  const after = all.hasPosition() ? commitOf(all.getPosition()!) : -1;
  let at = all.hasEnd() ? log.length : all.hasPosition() ? log.leftFrom(after) + 1 : 0;
  return () => {
    while (at < log.length && log.positionAt(at) <= after) at += 1;
    return at < log.length ? at++ : undefined;
  };
}

/** @throws for a prepare position behind the commit position. source: TFPos */
export function commitOf(position: ReadReq.Options.Position): number {
  const commit = Number(position.getCommitPosition());
  if (Number(position.getPreparePosition()) > commit) throw new Error('prepare lies behind commit');
  return commit;
}
