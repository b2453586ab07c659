import type { DomainEvent } from './recorded-event.js';

/** A refusal is a value with a code, never an exception. */
export interface Rejection {
  readonly code: string;
}

export type Decision<E extends DomainEvent, R extends Rejection> =
  | { readonly accepted: true; readonly events: readonly E[] }
  | { readonly accepted: false; readonly rejection: R };

/**
 * `decide` turns a command into events or a rejection; `evolve` folds events into state. Pure: time and ids arrive on
 * the command. Laws: repeating a command writes nothing (or is rejected); `evolve` never mutates.
 */
export interface Decider<S, C, E extends DomainEvent, R extends Rejection> {
  readonly initialState: S;
  decide(state: S, command: C): Decision<E, R>;
  evolve(state: S, event: E): S;
}

export function accept<E extends DomainEvent>(...events: E[]): { accepted: true; events: readonly E[] } {
  return { accepted: true, events };
}

export function reject<R extends Rejection>(rejection: R): { accepted: false; rejection: R } {
  return { accepted: false, rejection };
}

export function fold<S, E extends DomainEvent>(
  decider: { initialState: S; evolve(state: S, event: E): S },
  events: readonly E[],
  from: S = decider.initialState,
): S {
  return events.reduce((state, event) => decider.evolve(state, event), from);
}
