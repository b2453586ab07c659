import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Matches } from './event-filter.js';
import type { NodeState } from './node-state.js';
import type { ReadCall } from './read-call.js';
import { streamDeleted, unavailable } from './rpc-errors.js';

/** Ordinals of events not yet considered, one after another. */
export interface Cursor {
  next(): number | undefined;
  /** Name of the stream, once it is closed for ever. */
  closedStream(): string | undefined;
}

export interface SubscriptionPlan {
  readonly cursor: Cursor;
  readonly matches: Matches;
  /** Considered events. */
  readonly checkpointEvery: number | undefined;
}

export type Drop = 'unavailable' | 'cancelled' | 'end';

/** Confirmation, events and checkpoints, caught-up, then what comes live. source: Enumerator.AllSubscriptionFiltered */
export class Subscription {
  private considered = 0;
  private lastConsidered: number | undefined;
  private lastCheckpoint = -1;
  /** Length of the log when nothing more was found in it. */
  private looked = 0;

  constructor(
    private readonly node: NodeState,
    private readonly call: ReadCall,
    private readonly plan: SubscriptionPlan,
  ) {}

  async run(): Promise<void> {
    await this.call.send(confirmation());
    await this.deliverWhatIsThere();
    await this.goLive();
    while (!this.call.over && !this.endedWithItsStream()) {
      await this.somethingNew();
      await this.deliverWhatIsThere();
    }
  }

  drop(how: Drop): void {
    if (how === 'end') this.call.end();
    else if (how === 'unavailable') this.call.fail(unavailable('the subscription was dropped'));
    else this.call.fail({ ...unavailable('the subscription was dropped'), code: status.CANCELLED });
  }

  private async deliverWhatIsThere(): Promise<void> {
    const { cursor, matches, checkpointEvery } = this.plan;
    for (let ordinal; !this.call.over && (ordinal = cursor.next()) !== undefined;) {
      this.lastConsidered = ordinal;
      if (matches(ordinal)) await this.deliver(ordinal);
      this.considered += 1;
      if (checkpointEvery !== undefined && this.considered % checkpointEvery === 0) await this.checkpoint();
    }
    this.looked = this.node.log.length;
  }

  private async deliver(ordinal: number): Promise<void> {
    const response = this.node.log.responseAt(ordinal);
    const times = this.node.faults.now.deliverTwice > 0 && this.node.faults.takes('deliverTwice') ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const slow = this.call.send(response);
      if (slow) await slow;
    }
  }

  /** Once when catch-up ends, whatever the interval. source: AllSubscriptionFiltered.CatchUp, IsEndOfStream */
  private async goLive(): Promise<void> {
    if (this.plan.checkpointEvery !== undefined) await this.checkpoint();
    this.considered = 0;
    await this.call.send(caughtUp());
  }

  /** Not twice at the same place. source: AllSubscriptionFiltered.MoveNextAsync */
  private async checkpoint(): Promise<void> {
    if (this.lastConsidered === undefined) return;
    const position = this.node.log.positionAt(this.lastConsidered);
    if (position <= this.lastCheckpoint) return;
    this.lastCheckpoint = position;
    await this.call.send(checkpointAt(position));
  }

  private endedWithItsStream(): boolean {
    const closed = this.plan.cursor.closedStream();
    if (closed !== undefined) this.call.fail(streamDeleted(closed));
    return closed !== undefined;
  }

  /** Also when it came between the last look and now. */
  private async somethingNew(): Promise<void> {
    const { log } = this.node;
    if (log.length > this.looked) return;
    await new Promise<void>((resolve) => {
      const stops = [log.onAppended(wake), this.call.onOver(wake)];
      function wake() {
        for (const stop of stops) stop();
        resolve();
      }
    });
  }
}

function confirmation(): Uint8Array {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(randomUUID());
  const response = new streams.ReadResp();
  response.setConfirmation(confirmed);
  return response.serializeBinary();
}

function caughtUp(): Uint8Array {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response.serializeBinary();
}

function checkpointAt(position: number): Uint8Array {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  checkpoint.setPreparePosition(String(position));
  const response = new streams.ReadResp();
  response.setCheckpoint(checkpoint);
  return response.serializeBinary();
}
