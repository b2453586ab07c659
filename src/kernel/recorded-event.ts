import type { Instant } from './time.js';

/** Plain data in the past tense, never renamed once stored. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Kind and id of a credential or process. Never a secret. */
export interface Actor {
  readonly kind: 'api_key' | 'partner' | 'device' | 'enrollment' | 'operator' | 'member' | 'process';
  readonly id: string;
}

/** Copied into the metadata of every event of the command. */
export interface Origin {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly requestId?: string;
  /** The event to which a process reacted. */
  readonly causationId?: string;
}

export interface EventMetadata extends Origin {
  readonly at: Instant;
  readonly schemaVersion: number;
  /** Account whose audit shows the event. */
  readonly accountId?: string;
}

/** 20 digits, comparable as a string. */
export type Position = string;

export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  /** UUID, generated once per command and kept over retries of the append. */
  readonly id: string;
  readonly stream: string;
  /** From 0. */
  readonly revision: number;
  readonly position: Position;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

/** Distributes over the union. */
export type Recorded<E extends DomainEvent> = E extends DomainEvent ? RecordedEvent<E> : never;

/** Position of a document's first event: opaque outside the store, compares as text. */
export type CreationPosition = string;
