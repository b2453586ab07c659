import fc from 'fast-check';
import type { Decider, Rejection } from '../../src/kernel/decider.js';
import type { DomainEvent } from '../../src/kernel/recorded-event.js';

/** One accepted command of a random life. */
export interface Step<S, C, E> {
  readonly before: S;
  readonly command: C;
  readonly events: readonly E[];
  readonly after: S;
}

/** Freezes deeply, so that mutations throw. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

/** Applies the commands; rejected ones leave no step. States and events are frozen. */
export function live<S, C, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R>,
  commands: readonly C[],
): Step<S, C, E>[] {
  const steps: Step<S, C, E>[] = [];
  let state = frozen(decider.initialState);
  for (const command of commands) {
    const decision = decider.decide(state, command);
    if (!decision.accepted) continue;
    const before = state;
    for (const event of frozen(decision.events)) state = frozen(decider.evolve(state, event));
    steps.push({ before, command, events: decision.events, after: state });
  }
  return steps;
}

/** Laws of every decider (docs/architecture.md). */
export function keepsTheLaws<S, C, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R>,
  commands: fc.Arbitrary<C>,
): void {
  const lives = fc.array(commands, { maxLength: 40 }).map((sequence) => live(decider, sequence));

  it('writes nothing for a repeated command and never mutates', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { command, after } of steps) {
          const again = decider.decide(after, command);
          expect(again.accepted ? again.events : []).toEqual([]);
        }
      }),
    );
  });

  it('survives encoding and decoding of its events', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const stored = JSON.stringify(steps.flatMap(({ events }) => events));
        const read = JSON.parse(stored) as E[];
        const state = read.reduce((before, event) => decider.evolve(before, event), decider.initialState);
        expect(state).toEqual(steps.at(-1)?.after ?? decider.initialState);
      }),
    );
  });
}
