import { isRead } from '../../http/operation.js';
import { managedHeaders, type Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';

/** What an operation answers that would change something of an account closed to writes. */
export const CLOSED_TO_WRITES = ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'] as const;

export const panel: Surface = {
  name: 'panel',
  title: 'Panel',
  prefixes: ['/v1/panel'],
  ...columnOf('panel'),
  okCode: 'OK',
  callers: ['member', 'visitor'],
  params: {
    account_id: 'ACCOUNT_NOT_FOUND',
    computer_id: 'COMPUTER_NOT_FOUND',
    delivery_id: 'DELIVERY_NOT_FOUND',
    job_id: 'JOB_NOT_FOUND',
    key_id: 'KEY_NOT_FOUND',
    member_id: 'MEMBER_NOT_FOUND',
    printer_id: 'PRINTER_NOT_FOUND',
    session_id: 'SESSION_NOT_FOUND',
  },
  accountErrors: (operation) => (isRead(operation) ? [] : CLOSED_TO_WRITES),
  headers: managedHeaders,
  detailedErrors: false,
  messages: false,
  authorityFields: ['account_id'],
  document: {
    path: '/v1/panel/openapi.json',
    introduction: `Operations of the developer panel: sign-in, sessions and members.

A session is a cookie, which counts only for requests from the pages of this service. Programs use the Integration API
with an API key.`,
    credential: 'Session cookie, set by a sign-in. It counts only for requests from pages of this service.',
    cookie: 'svc_panel_3000',
  },
};
