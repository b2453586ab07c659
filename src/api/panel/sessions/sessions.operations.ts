import type { OperationSpec } from '../../../http/operation.js';
import { operationOf } from '../panel.surface.js';
import { EndSessionBody, LinkSignInBody, PasswordBody, SignInBody } from '../panel.requests.js';
import { OpenSessions, SessionState } from './session.resource.js';

const anybody = ['member', 'operator'] as const;
const state = { status: 200, type: SessionState, codes: ['OK'] };
const cookie = { headers: { 'Set-Cookie': 'The session, for pages of this service only.' } };
const signIn = { tag: 'Session', auth: 'none', errors: ['SIGN_IN_REFUSED', 'RATE_LIMIT_EXCEEDED'] } as const;

export const getSession: OperationSpec = operationOf({
  id: 'getSession',
  route: 'GET /v1/panel/session',
  summary: 'Show who is signed in',
  description: '`session` is null when nobody is.',
  tag: 'Session',
  auth: 'optional',
  callers: anybody,
  limit: { perMinute: 120 },
  success: { ...state, description: 'The session.' },
});

export const signInByPassword: OperationSpec = operationOf({
  ...signIn,
  id: 'signIn',
  route: 'POST /v1/panel/session',
  summary: 'Sign in with a password',
  body: SignInBody,
  requestExample: { sign_in_name: 'bea@demo-bakery', password: 'an umbrella in the rain' },
  success: { ...state, ...cookie, description: 'Signed in.' },
});

export const signInByLink: OperationSpec = operationOf({
  ...signIn,
  id: 'signInByLink',
  route: 'POST /v1/panel/session/link',
  summary: 'Sign in with a link',
  description: 'Uses the link up.',
  body: LinkSignInBody,
  requestExample: { token: 'svc_link_live_…' },
  success: { ...state, ...cookie, description: 'Signed in.' },
});

export const endSession: OperationSpec = operationOf({
  id: 'endSession',
  route: 'POST /v1/panel/session/end',
  summary: 'Sign out',
  description: 'With `everywhere` all sessions of the member end.',
  tag: 'Session',
  callers: anybody,
  limit: { perMinute: 20 },
  body: EndSessionBody,
  bodyOptional: true,
  requestExample: { everywhere: false },
  success: { ...state, ...cookie, description: 'Signed out.' },
});

const list = { status: 200, type: OpenSessions, codes: ['OK'], description: 'The open sessions.' };

export const listSessions: OperationSpec = operationOf({
  id: 'listSessions',
  route: 'GET /v1/panel/sessions',
  summary: 'List your open sessions',
  description: 'A member has at most 20: one more ends that which was unused for longest.',
  tag: 'Session',
  limit: { perMinute: 60 },
  success: list,
});

export const endOneSession: OperationSpec = operationOf({
  id: 'endOneSession',
  route: 'POST /v1/panel/sessions/:session_id/end',
  summary: 'End one of your sessions',
  tag: 'Session',
  limit: { perMinute: 30 },
  params: { session_id: 'SESSION_NOT_FOUND' },
  success: list,
});

export const dismissLinkNotices: OperationSpec = operationOf({
  id: 'dismissLinkNotices',
  route: 'POST /v1/panel/session/dismiss-notices',
  summary: 'Dismiss the notices about sign-in links',
  description: 'That of the link which opened the current session stays.',
  tag: 'Session',
  limit: { perMinute: 20 },
  success: { ...state, description: 'The session.' },
});

export const choosePassword: OperationSpec = operationOf({
  id: 'choosePassword',
  route: 'POST /v1/panel/password',
  summary: 'Choose a password',
  description:
    'Ends all other sessions of the member. For ten minutes after a sign-in by link, `current` may be absent.',
  tag: 'Session',
  limit: { perMinute: 20 },
  body: PasswordBody,
  requestExample: { current: 'an umbrella in the rain', next: 'three printers and a cat' },
  success: { ...state, description: 'The password is set.' },
  errors: ['PASSWORD_REFUSED', 'SIGN_IN_REFUSED'],
});
