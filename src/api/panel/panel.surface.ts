import type { OperationSpec } from '../../http/operation.js';
import { managedHeaders, type Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';

export const panel: Surface = {
  name: 'panel',
  title: 'Panel',
  prefixes: ['/v1/panel'],
  ...columnOf('panel'),
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

/** What every operation answers that would change something of an account closed to writes. */
export const CLOSED_TO_WRITES = ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'] as const;

/** Declares a panel operation: for members unless it says otherwise, with the code `OK`. */
export const operationOf = (row: Omit<OperationSpec, 'surface'>): OperationSpec => ({
  callers: ['member'],
  ...row,
  surface: panel,
});
