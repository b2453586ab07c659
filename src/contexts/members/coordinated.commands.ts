import { command, type Refused } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { MemberDetails } from './domain/member.events.js';
import type { PanelLinkIssued } from './domain/panel-link.events.js';
import type { PanelLinkRejection } from './domain/panel-link.decider.js';
import type { OpenedSession } from './domain/session.decider.js';
import type { PasswordProblem } from './domain/password.rules.js';
import type { SignInClient } from './domain/session.events.js';
import type { HashPlace } from './hash-queue.js';

/** A request of a person who is not signed in yet: the actor becomes known while it is handled. */
export type Unsigned = Omit<Origin, 'actor'>;

/** A session whose secret only the caller knows. */
export interface NewSession {
  readonly id: string;
  /** SHA-256 of the whole secret. */
  readonly hash: string;
  readonly client: SignInClient;
}

/** What decides on the turn of a password: `HashPlace` without the name. */
export interface SignInSource extends Pick<HashPlace, 'networks' | 'attempts'> {
  /** The member who signed in with this browser before. */
  readonly knownMemberId: string | undefined;
}

/** The account that a refused sign-in named, and the member if there is one. */
export interface SignInTarget {
  readonly accountId: string;
  readonly memberId?: string;
}

export type SignedIn<Code extends string> =
  | { readonly ok: true; readonly session: OpenedSession }
  | Refused<{ readonly code: Code; readonly target?: SignInTarget | undefined }>;

/** Invites a person and issues the link for the first sign-in, in one append. */
export class InviteWithLink extends command('InviteWithLink')<
  {
    accountId: string;
    memberId: string;
    details: MemberDetails;
    link: Pick<PanelLinkIssued['data'], 'hash' | 'expiresAt'>;
  },
  Invited
> {}

export type Invited =
  | { readonly ok: true }
  | Refused<{ readonly code: 'AccountNotFound' | 'AccountClosed' | 'NameTaken' | 'MemberLimitReached' }>;

/** Uses a sign-in link up and opens a session, in one append. */
export class SignInByLink extends command('SignInByLink')<
  {
    linkId: string;
    /** SHA-256 of the link's secret. */
    hash: string;
    session: NewSession;
  },
  SignedIn<PanelLinkRejection['code'] | 'SignInRefused'>,
  Unsigned
> {}

/** Opens a session for `name@slug` and a password. Every refusal is the same and takes as long. */
export class SignInByPassword extends command('SignInByPassword')<
  { signInName: string; password: string; source: SignInSource; session: NewSession },
  SignedIn<'SignInRefused'>,
  Unsigned
> {}

/**
 * Gives the member of a session a new password, and ends all other sessions. `current` may be absent shortly after a
 * sign-in by link.
 */
export class ChoosePassword extends command('ChoosePassword')<
  { sessionId: string; current?: string; next: string },
  PasswordChosen
> {}

export type PasswordChosen =
  | { readonly ok: true }
  | Refused<
      | { readonly code: 'SessionNotFound' | 'MemberNotFound' | 'CurrentPasswordWrong' }
      | { readonly code: 'PasswordRefused'; readonly problem: PasswordProblem }
    >;
