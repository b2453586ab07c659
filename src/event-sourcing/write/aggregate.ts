import type { Issued } from '../../kernel/command.js';
import type { Decider, Rejection } from '../../kernel/decider.js';
import type { DomainEvent, Origin } from '../../kernel/recorded-event.js';
import type { Append } from '../ports/event-store.port.js';
import type { Loaded } from './aggregate-states.js';

export interface Aggregate<S, C extends Issued, E extends DomainEvent, R extends Rejection> {
  readonly category: string;
  readonly decider: Decider<S, C, E, R>;
  /** Serialises commands on one id in this process: for aggregates with many at once. */
  readonly serialised?: boolean;
  /** Undefined if the event is not audited. */
  auditedIn?(event: E, decided: Audited<S>): string | undefined;
}

export interface Audited<S> {
  readonly id: string;
  /** After the event. */
  readonly state: S;
  readonly by: Origin;
}

const inNone = () => undefined;

export function accountOf<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
  aggregate: Aggregate<S, C, E, R>,
  decided: Audited<S>,
): (event: E) => string | undefined {
  return aggregate.auditedIn ? (event) => aggregate.auditedIn!(event, decided) : inNone;
}

/** Not yet stored; several can be appended in order. */
export interface Planned<S> {
  readonly append: Append;
  readonly state: S;
}

export interface PlanOptions<S> {
  /** Ids by ordinal: another request may have sent them before. */
  readonly eventIds?: (ordinal: number) => string;
  /** Decides on the result of an earlier plan for the same stream. */
  readonly after?: Planned<S>;
  /** Assumes a new id and reads nothing; the append fails if it is taken. */
  readonly unseen?: boolean;
}

export function resultOf<S>({ append, state }: Planned<S>): Loaded<S> {
  const before = append.expected === 'no_stream' ? -1 : append.expected;
  return { state, revision: before + append.events.length };
}
