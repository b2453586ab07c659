import type { Issued } from '../../kernel/command.js';
import type { Decider, Rejection } from '../../kernel/decider.js';
import type { DomainEvent, Origin } from '../../kernel/recorded-event.js';
import type { Append } from '../ports/event-store.port.js';
import type { Loaded } from './aggregate-states.js';

/** A kind of aggregate: its stream category and its decider. */
export interface Aggregate<S, C extends Issued, E extends DomainEvent, R extends Rejection> {
  readonly category: string;
  readonly decider: Decider<S, C, E, R>;
  /** Commands on one id wait for each other in this process: for aggregates with many at once. */
  readonly serialised?: boolean;
  /** The account whose audit shows the event, if any. */
  auditedIn?(event: E, decided: Audited<S>): string | undefined;
}

/** What surrounds an event that may be audited. */
export interface Audited<S> {
  /** Of the aggregate. */
  readonly id: string;
  /** After the event. */
  readonly state: S;
  readonly by: Origin;
}

const inNone = () => undefined;

/** Whether and where an event of the aggregate is audited. */
export function accountOf<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
  aggregate: Aggregate<S, C, E, R>,
  decided: Audited<S>,
): (event: E) => string | undefined {
  return aggregate.auditedIn ? (event) => aggregate.auditedIn!(event, decided) : inNone;
}

/** A decision that is not yet stored; several can be appended in order. */
export interface Planned<S> {
  readonly append: Append;
  readonly state: S;
}

export interface PlanOptions<S> {
  /** The n-th event gets the n-th of these ids: another request may have sent them before. */
  readonly eventIds?: (ordinal: number) => string;
  /** Decides on what an earlier plan for the same stream will leave. */
  readonly after?: Planned<S>;
  /** The id is probably new: nothing is looked up that is not remembered. Were it taken, the append would say so. */
  readonly unseen?: boolean;
}

/** What a stream will hold when the plan is stored. */
export function resultOf<S>({ append, state }: Planned<S>): Loaded<S> {
  const before = append.expected === 'no_stream' ? -1 : append.expected;
  return { state, revision: before + append.events.length };
}
