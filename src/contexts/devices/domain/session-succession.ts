import { sha256 } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/time.js';

/** A session that a newer one of the same computer replaced. */
export interface ReplacedSession {
  readonly sessionId: string;
  /** No call since. One that calls is still running, so the newer session belongs to a clone and not to a restart. */
  readonly silent: boolean;
}

/** The sessions of a computer, as far as they are remembered. */
export interface Sessions {
  /** The newest session; none until the first after an enrolment, and none after a revocation. */
  readonly sessionId?: string;
  /** Undefined for a session stored before the time was kept. */
  readonly sessionStartedAt?: Instant;
  /** Oldest first. */
  readonly replaced: readonly ReplacedSession[];
}

const SESSIONS_REMEMBERED = 16;

/** The list after the current session has ended. */
export function withEnded({ sessionId, replaced }: Sessions, silent: boolean): readonly ReplacedSession[] {
  if (sessionId === undefined) return replaced;
  return [...replaced.slice(1 - SESSIONS_REMEMBERED), { sessionId, silent }];
}

export function withCaller(
  replaced: readonly ReplacedSession[],
  sessionId: string,
): readonly ReplacedSession[] {
  return replaced.map((one) => (one.sessionId === sessionId ? { ...one, silent: false } : one));
}

/** Sessions that the current one succeeded by restarts alone: none of them, nor one between, has called since. */
export function predecessorsOf({ replaced }: Sessions): readonly string[] {
  const chain = replaced.slice(replaced.findLastIndex(({ silent }) => !silent) + 1);
  return chain.map(({ sessionId }) => sessionId);
}

/** All remembered sessions that came before this one; empty if it is not remembered itself. */
export function sessionsBefore(sessions: Sessions, sessionId: string): readonly string[] {
  const before = sessions.replaced.slice(0, Math.max(0, placeOf(sessions, sessionId)));
  return before.map((one) => one.sessionId);
}

/** Whether `successor` followed `predecessor` by restarts alone, as far as is known. */
export function isSuccession(sessions: Sessions, predecessor: string, successor: string): boolean {
  const from = placeOf(sessions, predecessor);
  const to = placeOf(sessions, successor);
  return from >= 0 && from < to && sessions.replaced.slice(from, to).every(({ silent }) => silent);
}

const MARK_LENGTH = 12;

/**
 * A session id: a UUID of version 7, which sorts as text by time. Its last 48 bits are a hash of the computer's id, so
 * a computer's own session is recognised even if the store has lost it, and a foreign id counts as a random one.
 */
export function sessionIdFor(computerId: string, uuid: string): string {
  const time = uuid.slice(0, -MARK_LENGTH);
  return time + sha256(`session ${computerId} ${time}`).slice(0, MARK_LENGTH);
}

/** Whether it is a session of this computer, newer than all that the store knows: then the store went back in time. */
export function isLostSession(
  computer: Sessions & { readonly computerId: string },
  sessionId: string,
): boolean {
  const known = placeOf(computer, sessionId) >= 0;
  const ours = sessionIdFor(computer.computerId, sessionId) === sessionId;
  return !known && ours && sessionId > (computer.sessionId ?? '');
}

function placeOf({ replaced, sessionId: current }: Sessions, sessionId: string): number {
  if (sessionId === current) return replaced.length;
  return replaced.findIndex((one) => one.sessionId === sessionId);
}
