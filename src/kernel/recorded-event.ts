import type { Instant } from './time.js';
import type { Traceparent } from './tracing.js';

/** Domain event: past tense, plain data, never renamed once stored. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

export type EventsOf<Data> = {
  [T in keyof Data & string]: { readonly type: T; readonly data: Readonly<Data[T]> };
}[keyof Data & string];

/** Kind and id of the credential or process that caused an event. Never a secret. */
export interface Actor {
  readonly kind: 'api_key' | 'partner' | 'device' | 'enrollment' | 'operator' | 'member' | 'process';
  readonly id: string;
}

/** Origin of a command, copied into the metadata of every event it causes. */
export interface Origin {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly requestId?: string;
  /** Id of the event to which a process reacted, if any. */
  readonly causationId?: string;
  /** The span of the request, if its trace is sampled. */
  readonly traceparent?: Traceparent;
}

export interface EventMetadata extends Origin {
  /** Time of the command by the service's clock, but not before the event before it in the stream. */
  readonly at: Instant;
  readonly schemaVersion: number;
  /** The account whose audit shows the event; absent if none does. */
  readonly accountId?: string;
}

/** Position of an event in the log: 20 digits, comparable as a string. */
export type Position = string;

export const POSITION_DIGITS = 20;

/** An event as the store keeps it. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  /** UUID, generated once per command and kept over retries of the append. */
  readonly id: string;
  readonly stream: string;
  /** Position in its stream, from 0. */
  readonly revision: number;
  readonly position: Position;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

/** Narrows a recorded event of a union to one with matching `type` and `data`. */
export type Recorded<E extends DomainEvent> = E extends DomainEvent ? RecordedEvent<E> : never;

/** Time of a document's first event, then its position: lists are ordered by it. Opaque outside the store, compares as text. */
export type CreationPosition = string;
