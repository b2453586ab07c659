import { fold, type Decider, type Rejection } from '../../src/kernel/decider.js';
import type { DomainEvent } from '../../src/kernel/recorded-event.js';

interface Outcome<E> {
  /** Expects acceptance with exactly these events; none means that nothing changes. */
  then(...events: E[]): void;
  thenNothing(): void;
  /** Expects a rejection with this code, and with these details if given. */
  thenRejected(code: string, details?: object): void;
}

/** given(events).when(command).then(events), for specs of deciders. */
export function storyOf<S, C, E extends DomainEvent, R extends Rejection>(decider: Decider<S, C, E, R>) {
  return {
    given: (...past: E[]) => ({
      when(command: C): Outcome<E> {
        const decision = decider.decide(fold(decider, past), command);
        const events = () => {
          if (!decision.accepted) throw new Error(`refused: ${JSON.stringify(decision.rejection)}`);
          return decision.events;
        };
        return {
          then: (...expected) => expect(events()).toEqual(expected),
          thenNothing: () => expect(events()).toEqual([]),
          thenRejected: (code, details = {}) =>
            expect(decision).toMatchObject({ accepted: false, rejection: { code, ...details } }),
        };
      },
      /** State after the given events, for derived fields. */
      state: () => fold(decider, past),
    }),
  };
}
