import type { StoredText } from '../event-sourcing/index.js';
import type { Position } from '../kernel/recorded-event.js';
import { instant, type Instant } from '../kernel/time.js';
import { objectIn } from './entry.js';
import type { EvidenceEvent } from './evidence.events.js';
import type { Checkpoint } from './statements.js';

/** Names an event, so that it is found again, or missed. */
export interface Mark {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly position: Position;
}

/** The log as its events tell, up to the newest one that was read in order. */
export interface LogState {
  readonly origin: string;
  readonly vkey: string;
  /** The newest event of the log, and the number of leaves before it. */
  readonly newest: Mark & { readonly leaves: number; readonly at: Instant };
  /** The newest checkpoint: the tree had this root when its event was read. */
  readonly checkpoint?: Checkpoint & { readonly at: Instant };
  /** A restore or a rollback followed: this log ends. */
  readonly isOver?: true;
  /** Another log begins later, so what differs in this one does no harm. */
  readonly isAbandoned?: true;
}

/**
 * `differs`: the tree has another root than was published. `store_behind`: the newest event of the log is gone.
 * `unreadable`: the next event, or one that is needed for it, is damaged.
 */
export const HALT_REASONS = ['differs', 'store_behind', 'unreadable'] as const;

export interface Halt {
  readonly reason: (typeof HALT_REASONS)[number];
  /** The last checkpoint that fits, and the first that does not. */
  readonly between?: readonly [Checkpoint | null, Checkpoint];
  /** The unreadable one. */
  readonly event?: { readonly stream: string; readonly revision: number };
}

/** How far the log is built; stored with the hashes. */
export interface Progress {
  /** Number of leaves. */
  readonly size: number;
  /** Of the last event that was read; '' before the first. */
  readonly position: Position;
  /** The last of them that no retention deletes. */
  readonly last?: Mark;
  readonly log?: LogState;
  /** All events were read when this was stored. */
  readonly isAtEnd: boolean;
  readonly halt?: Halt;
  /** A reader missed a hash: the log is built anew. */
  readonly isLacking?: true;
}

export const NOTHING: Progress = { size: 0, position: '', isAtEnd: false };

export function progressOf(bytes: Uint8Array | undefined): Progress {
  return bytes ? (JSON.parse(Buffer.from(bytes).toString()) as Progress) : NOTHING;
}

export const markOf = ({ stream, revision, id, position }: StoredText): Mark => ({
  ...{ stream, revision, id, position },
});

/** The state after an event of the log. @param leaves before it */
export function evolve(log: LogState | undefined, text: StoredText, leaves: number): LogState | undefined {
  const { type, data } = { type: text.type, data: objectIn(text.data) } as EvidenceEvent;
  const { at = instant(0) } = objectIn<{ at: Instant }>(text.metadata);
  const newest = { ...markOf(text), leaves, at };
  if (type === 'EvidenceLogStarted') return { origin: data.origin, vkey: data.vkey, newest };
  return log && { ...log, newest, checkpoint: { ...data, at } };
}
