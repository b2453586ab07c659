import { command, type Refused } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { MemberDetails } from './domain/member.events.js';
import type { PanelLinkEventData, SignInClient } from './domain/session.events.js';
import type { PanelLinkRejection } from './domain/panel-link.decider.js';
import type { OpenedSession } from './domain/session.decider.js';
import type { PasswordProblem } from './domain/password.rules.js';
import type { HashRequester } from './password-hasher.js';

/** The actor becomes known while the request is handled. */
export type Unsigned = Omit<Origin, 'actor'>;

export interface NewSession {
  readonly id: string;
  readonly hash: string;
  readonly client: SignInClient;
}

export interface SignInSource extends Pick<HashRequester, 'networks' | 'attempts'> {
  readonly knownMemberId: string | undefined;
}

export interface SignInTarget {
  readonly accountId: string;
  readonly memberId?: string;
}

export type SignedIn<Code extends string> =
  | { readonly ok: true; readonly session: OpenedSession }
  | Refused<{ readonly code: Code; readonly target?: SignInTarget | undefined }>;

export class InviteWithLink extends command('InviteWithLink')<
  {
    accountId: string;
    memberId: string;
    details: MemberDetails;
    link: Pick<PanelLinkEventData['PanelLinkIssued'], 'hash' | 'expiresAt'>;
  },
  Invited
> {}

export type Invited =
  | { readonly ok: true }
  | Refused<{ readonly code: 'AccountNotFound' | 'AccountClosed' | 'NameTaken' | 'MemberLimitReached' }>;

export class SignInByLink extends command('SignInByLink')<
  {
    linkId: string;
    hash: string;
    session: NewSession;
  },
  SignedIn<PanelLinkRejection['code'] | 'SignInRefused'>,
  Unsigned
> {}

/** Every refusal is the same and takes as long. */
export class SignInByPassword extends command('SignInByPassword')<
  { signInName: string; password: string; source: SignInSource; session: NewSession },
  SignedIn<'SignInRefused'>,
  Unsigned
> {}

/** Ends all other sessions. `current` may be absent shortly after a sign-in by link. */
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
