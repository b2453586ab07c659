import type { Instant } from './time.js';

/** What a decider says has happened: past tense, plain data, never renamed once stored. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Who caused something: the kind of credential or process, and its id. Never a secret. */
export interface Actor {
  readonly kind: 'api_key' | 'partner' | 'device' | 'enrollment' | 'operator' | 'process';
  readonly id: string;
}

/** Where a command came from; travels into the metadata of every event it causes. */
export interface Origin {
  readonly actor: Actor;
  readonly correlationId: string;
  /** The HTTP request, when there was one. */
  readonly requestId?: string;
  /** The stored event that led to the command, when a process reacted to one. */
  readonly causationId?: string;
}

export interface EventMetadata extends Origin {
  /** When it happened by our clock: the command's `at`. */
  readonly at: Instant;
  readonly schemaVersion: number;
}

/** Place of an event in the order of all events: 20 digits, compares as a plain string. */
export type Position = string;

/** An event as the store keeps it. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  /** UUID; made once per command, the same over every retry of the append. */
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
  readonly position: Position;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

/** Narrows a recorded event of a union to one with matching `type` and `data`. */
export type Recorded<E extends DomainEvent> = E extends DomainEvent ? RecordedEvent<E> : never;
