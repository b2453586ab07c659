import type { Issued } from '../../kernel/command.js';
import type { Decider, Rejection } from '../../kernel/decider.js';
import type { DomainEvent, Origin } from '../../kernel/recorded-event.js';

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
