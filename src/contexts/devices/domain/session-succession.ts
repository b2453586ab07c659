import { sha256 } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/time.js';

interface ReplacedSession {
  readonly sessionId: string;
  readonly startId?: string;
  /** No call since its replacement. A call shows that the newer session belongs to a clone. */
  readonly silent: boolean;
}

export interface Sessions {
  /** Undefined after an enrolment or revocation, until a session starts. */
  readonly sessionId?: string;
  readonly startId?: string;
  readonly features?: readonly string[];
  /** Undefined for a session stored by an older release. */
  readonly sessionStartedAt?: Instant;
  readonly replaced: readonly ReplacedSession[];
}

const SESSIONS_REMEMBERED = 16;

export function withEnded(
  { sessionId, startId, replaced }: Sessions,
  silent: boolean,
): readonly ReplacedSession[] {
  if (sessionId === undefined) return replaced;
  return [...replaced.slice(1 - SESSIONS_REMEMBERED), { sessionId, startId, silent }];
}

export function isReplacedStart({ replaced }: Sessions, startId: string | undefined): boolean {
  return startId !== undefined && replaced.some((one) => one.startId === startId);
}

export function withCaller(
  replaced: readonly ReplacedSession[],
  sessionId: string,
): readonly ReplacedSession[] {
  return replaced.map((one) => (one.sessionId === sessionId ? { ...one, silent: false } : one));
}

/** Sessions succeeded by restarts only: neither they nor any between has called since. */
export function predecessorsOf({ replaced }: Sessions): readonly string[] {
  const chain = replaced.slice(replaced.findLastIndex(({ silent }) => !silent) + 1);
  return chain.map(({ sessionId }) => sessionId);
}

export function sessionsBefore(sessions: Sessions, sessionId: string): readonly string[] {
  const before = sessions.replaced.slice(0, Math.max(0, indexOf(sessions, sessionId)));
  return before.map((one) => one.sessionId);
}

/** True if only restarts lie between the two remembered sessions. */
export function isSuccession(sessions: Sessions, predecessor: string, successor: string): boolean {
  const from = indexOf(sessions, predecessor);
  const to = indexOf(sessions, successor);
  return from >= 0 && from < to && sessions.replaced.slice(from, to).every(({ silent }) => silent);
}

const MARK_LENGTH = 12;

/** UUID version 7 ending in 48 bits of the computer's hash: recognises own sessions after a rollback. */
export function sessionIdFor(computerId: string, uuid: string): string {
  const time = uuid.slice(0, -MARK_LENGTH);
  return time + sha256(`session ${computerId} ${time}`).slice(0, MARK_LENGTH);
}

/** A newer session of this computer than all known ones means that the store was rolled back. */
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
