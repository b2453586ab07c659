import { sha256 } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/time.js';

/** A session that a newer one of the same computer replaced. */
interface ReplacedSession {
  readonly sessionId: string;
  readonly startId?: string;
  /**
   * True if it made no call since. One that calls is still running, so the newer session belongs to a clone,
   * not to a restart.
   */
  readonly silent: boolean;
}

/** The remembered sessions of a computer. */
export interface Sessions {
  /** The newest session; undefined before the first one after an enrolment, and after a revocation. */
  readonly sessionId?: string;
  /** The agent's name of the start of that session, if it gave one. */
  readonly startId?: string;
  /** Undefined for a session stored by an older release. */
  readonly sessionStartedAt?: Instant;
  /** Oldest first. */
  readonly replaced: readonly ReplacedSession[];
}

const SESSIONS_REMEMBERED = 16;

/** The list after the current session has ended. */
export function withEnded(
  { sessionId, startId, replaced }: Sessions,
  silent: boolean,
): readonly ReplacedSession[] {
  if (sessionId === undefined) return replaced;
  return [...replaced.slice(1 - SESSIONS_REMEMBERED), { sessionId, startId, silent }];
}

/** True if this start began a remembered session that has been replaced. */
export function isReplacedStart({ replaced }: Sessions, startId: string | undefined): boolean {
  return startId !== undefined && replaced.some((one) => one.startId === startId);
}

export function withCaller(
  replaced: readonly ReplacedSession[],
  sessionId: string,
): readonly ReplacedSession[] {
  return replaced.map((one) => (one.sessionId === sessionId ? { ...one, silent: false } : one));
}

/**
 * Sessions that the current one succeeded by restarts only: neither they nor any session between has called
 * since.
 */
export function predecessorsOf({ replaced }: Sessions): readonly string[] {
  const chain = replaced.slice(replaced.findLastIndex(({ silent }) => !silent) + 1);
  return chain.map(({ sessionId }) => sessionId);
}

/** All remembered sessions before this one; empty if it is not remembered itself. */
export function sessionsBefore(sessions: Sessions, sessionId: string): readonly string[] {
  const before = sessions.replaced.slice(0, Math.max(0, indexOf(sessions, sessionId)));
  return before.map((one) => one.sessionId);
}

/** True if `successor` followed `predecessor` by restarts only, according to the remembered sessions. */
export function isSuccession(sessions: Sessions, predecessor: string, successor: string): boolean {
  const from = indexOf(sessions, predecessor);
  const to = indexOf(sessions, successor);
  return from >= 0 && from < to && sessions.replaced.slice(from, to).every(({ silent }) => silent);
}

const MARK_LENGTH = 12;

/**
 * A session id is a UUID version 7, which sorts as text by time. Its last 48 bits are a hash of the computer's
 * id, so that a computer's own session is recognised even if the store has lost it; a foreign id counts as
 * random.
 */
export function sessionIdFor(computerId: string, uuid: string): string {
  const time = uuid.slice(0, -MARK_LENGTH);
  return time + sha256(`session ${computerId} ${time}`).slice(0, MARK_LENGTH);
}

/** True for a session of this computer newer than all known ones: the store was rolled back. */
export function isLostSession(
  computer: Sessions & { readonly computerId: string },
  sessionId: string,
): boolean {
  const known = indexOf(computer, sessionId) >= 0;
  const ours = sessionIdFor(computer.computerId, sessionId) === sessionId;
  return !known && ours && sessionId > (computer.sessionId ?? '');
}

function indexOf({ replaced, sessionId: current }: Sessions, sessionId: string): number {
  if (sessionId === current) return replaced.length;
  return replaced.findIndex((one) => one.sessionId === sessionId);
}
