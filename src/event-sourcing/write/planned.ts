import type { Append } from '../ports/event-store.port.js';
import type { Loaded } from './aggregate-states.js';

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
