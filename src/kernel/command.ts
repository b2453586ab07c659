import type { Command as NestCommand, CommandResult } from '@nestjs/cqrs';
import type { Rejection } from './decider.js';
import type { DomainEvent, Origin, Recorded } from './recorded-event.js';
import { elapsed, plus, type Instant, type Milliseconds } from './time.js';

export type Command<Result> = NestCommand<Result>;
export type { CommandResult };

/** Time and origin of a command, which a decider must not take from a clock or a request. */
export interface Issued<By = Origin> {
  readonly at: Instant;
  readonly by: By;
}

/** Nest's type carries the result to the command bus and the handler. */
type Issue<Kind extends string, Fields, Result, By> = NestCommand<Result> &
  Readonly<Fields> &
  Issued<By> & { readonly kind: Kind };

type CommandClass<Kind extends string> = new <Fields extends object, Result, By = Origin>(
  fields: Fields & Issued<By>,
) => Issue<Kind, Fields, Result, By>;

/**
 * Base class of the command `kind`, by which a decider chooses: `class ExpireJob extends
 * command('ExpireJob')<{ jobId: string }, JobOutcome> {}`. Does not load Nest, because deciders and the writer thread
 * run without it.
 */
export function command<const Kind extends string>(kind: Kind): CommandClass<Kind> {
  const base = class {
    readonly kind = kind;
    constructor(fields: object) {
      Object.assign(this, fields);
    }
  };
  return base as unknown as CommandClass<Kind>;
}

/** A clock that was ahead by more was wrong: a lease must not run until its time comes. */
const AHEAD_MS: Milliseconds = 60_000;

/**
 * Keeps the events of a stream in the order of time: a command from before the stream's last event, by a slower clock or
 * a race, counts as given a millisecond after that event.
 */
export function issuedAfter<C extends Issued>(last: Instant | undefined, command: C): C {
  if (last === undefined || command.at >= last || elapsed(command.at, last) > AHEAD_MS) return command;
  const later = Object.create(Object.getPrototypeOf(command) as object) as C;
  return Object.assign(later, command, { at: plus(last, 1) });
}

export interface Accepted<S, E extends DomainEvent> {
  readonly ok: true;
  readonly state: S;
  readonly revision: number;
  /** The stored events; empty when the command changed nothing. */
  readonly events: readonly Recorded<E>[];
}

export interface Refused<R extends Rejection> {
  readonly ok: false;
  readonly rejection: R;
}

/** The result of a command decided by one decider. */
export type Outcome<S, E extends DomainEvent, R extends Rejection> = Accepted<S, E> | Refused<R>;

export type RejectionOf<C> =
  C extends Command<infer Result> ? (Result extends Refused<infer R> ? R : never) : never;
