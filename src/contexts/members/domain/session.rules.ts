import { later, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type { OpenedSession, Visit } from './session.decider.js';
import type { SessionUser } from './session.events.js';

const MINUTE: Milliseconds = 60_000;
const HOUR: Milliseconds = 60 * MINUTE;

/** Without a request, and in all. */
const LIMITS: Readonly<Record<SessionUser['kind'], { idle: Milliseconds; whole: Milliseconds }>> = {
  member: { idle: 12 * HOUR, whole: 7 * 24 * HOUR },
  operator: { idle: HOUR, whole: 12 * HOUR },
};

/** An operator sees an account as its members do for so long. */
export const VISIT: Milliseconds = 30 * MINUTE;

/** Time after a sign-in by link in which a new password needs no old one. */
const AFTER_LINK: Milliseconds = 10 * MINUTE;

export function endOf({ user, openedAt }: OpenedSession, lastRequestAt: Instant = openedAt): Instant {
  const { idle, whole } = LIMITS[user.kind];
  const idleEnd = plus(later(openedAt, lastRequestAt), idle);
  const wholeEnd = plus(openedAt, whole);
  return idleEnd < wholeEnd ? idleEnd : wholeEnd;
}

export function isVisiting(visit: Visit | undefined, now: Instant): visit is Visit {
  return visit !== undefined && now < visit.endsAt;
}

export function needsNoOldPassword({ signedInBy, openedAt }: OpenedSession, now: Instant): boolean {
  return signedInBy === 'link' && now < plus(openedAt, AFTER_LINK);
}
