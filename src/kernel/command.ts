import type { Command as NestCommand, CommandResult } from '@nestjs/cqrs';
import type { Rejection } from './decider.js';
import type { DomainEvent, Origin, Recorded } from './recorded-event.js';
import type { Instant } from './time.js';

/**
 * The base class of every command, typed as Nest's, so that the command bus and the handler know the result. Nest
 * itself is not loaded: deciders and the writer thread load commands and run without it.
 */
export const Command = class {} as unknown as typeof NestCommand;
export type Command<Result> = NestCommand<Result>;
export type { CommandResult };

/** When and by whom a command was issued: what a decider must not ask a clock or a request for. */
export interface Issued {
  readonly at: Instant;
  readonly by: Origin;
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

/** The result of a command that one decider decides. */
export type Outcome<S, E extends DomainEvent, R extends Rejection> = Accepted<S, E> | Refused<R>;

/** Why a command may be refused, by its result. */
export type RejectionOf<C> =
  C extends Command<infer Result> ? (Result extends Refused<infer R> ? R : never) : never;
