import { fold, type Decider, type Rejection } from '../../src/kernel/decider.js';
import type { DomainEvent } from '../../src/kernel/recorded-event.js';

interface Outcome<E> {
  /** The command is accepted and exactly these events follow; none at all means "nothing new". */
  then(...events: E[]): void;
  thenNothing(): void;
  /** The command is refused with this code, and with these details if given. */
  thenRejected(code: string, details?: object): void;
}

/** given(events).when(command).then(events): how every decider's story is told. */
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
      /** The state after the past, for derived fields. */
      state: () => fold(decider, past),
    }),
  };
}
