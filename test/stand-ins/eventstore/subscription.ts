import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { placed } from './event-encoding.js';
import type { Matches } from './event-filter.js';
import type { NodeState } from './node-state.js';
import type { ReadCall } from './read-call.js';
import { consumerTooSlow, RpcError, unavailable } from './rpc-errors.js';

/** Ordinals of events not yet considered, one after another. */
export type Cursor = () => number | undefined;

export interface SubscriptionPlan {
  readonly next: Cursor;
  readonly matches: Matches;
  /** Considered events. */
  readonly checkpointEvery: number | undefined;
}

export type Drop = 'unavailable' | 'cancelled' | 'end' | 'too-slow';

/** Events that wait for a live subscription before it counts as slow, and how many a ms it takes away. Measured. */
const LIVE_BUFFER = 150;
const LIVE_PER_MS = 4;

/** Confirmation, events and checkpoints, caught-up, then what comes live. source: Enumerator.AllSubscriptionFiltered */
export class Subscription {
  private considered = 0;
  private lastConsidered: number | undefined;
  private lastCheckpoint = -1;
  /** Length of the log when nothing more was found in it. */
  private looked = 0;
  /** Has overtaken its buffer, and reads the log again until it has caught up. */
  private isBehind = false;
  private buffered = 0;
  private bufferedAt = 0;

  constructor(
    private readonly node: NodeState,
    private readonly call: ReadCall,
    private readonly plan: SubscriptionPlan,
  ) {}

  async run(): Promise<void> {
    await this.call.send(confirmation());
    await this.deliverWhatIsThere();
    await this.goLive();
    while (!this.call.over) {
      await this.somethingNew();
      await this.deliverWhatIsThere();
      if (this.isBehind) await this.catchUpAgain();
    }
  }

  drop(how: Drop): void {
    if (how === 'end') this.call.end();
    else if (how === 'too-slow') this.call.fail(consumerTooSlow());
    else if (how === 'unavailable') this.call.fail(unavailable('the subscription was dropped'));
    else this.call.fail(new RpcError(status.CANCELLED, 'the subscription was dropped'));
  }

  private async deliverWhatIsThere(): Promise<void> {
    const { next, matches, checkpointEvery } = this.plan;
    for (let ordinal; !this.call.over && (ordinal = next()) !== undefined;) {
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
    this.call.onOver(this.node.log.onCommitted((from, end) => this.arrived(from, end)));
    await this.call.send(caughtUp());
  }

  /** Fills its buffer with live events; too slow when they come faster than they are taken away. */
  private arrived(from: number, end: number): void {
    const now = performance.now();
    this.buffered = Math.max(0, this.buffered - (now - this.bufferedAt) * LIVE_PER_MS);
    this.bufferedAt = now;
    for (let ordinal = from; ordinal < end; ordinal += 1) if (this.plan.matches(ordinal)) this.buffered += 1;
    if (this.buffered < LIVE_BUFFER || this.isBehind) return;
    if (this.node.version.burst === 'drops') this.drop('too-slow');
    else this.isBehind = true;
  }

  /** From 24.10 on. The server does not say that it fell behind. */
  private async catchUpAgain(): Promise<void> {
    this.isBehind = false;
    this.buffered = 0;
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

  /** Also when it came between the last look and now. */
  private async somethingNew(): Promise<void> {
    const { log } = this.node;
    if (log.length > this.looked) return;
    await new Promise<void>((resolve) => {
      const stops = [log.onCommitted(wake), this.call.onOver(wake)];
      function wake() {
        for (const stop of stops) stop();
        resolve();
      }
    });
  }
}

const { ReadResp } = streams;

const confirmation = () =>
  new ReadResp()
    .setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()))
    .serializeBinary();

const caughtUp = () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp()).serializeBinary();

const checkpointAt = (position: number) =>
  new ReadResp().setCheckpoint(placed(new ReadResp.Checkpoint(), position)).serializeBinary();
