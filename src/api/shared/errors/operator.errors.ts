import type { ErrorCatalogue } from './catalogue.js';
import { plainErrors } from './partner.errors.js';
import { conflict, notFound } from './transport.errors.js';

/** Every code the operator surface can answer. */
export const operatorErrors = {
  ...plainErrors,
  ACCOUNT_NOT_FOUND: notFound('account'),
  KEY_NOT_FOUND: notFound('API key'),
  PARTNER_NOT_FOUND: notFound('partner'),
  CREDENTIAL_NOT_FOUND: notFound('credential'),
  COMPUTER_NOT_FOUND: notFound('computer'),
  STREAM_NOT_FOUND: notFound('stream'),
  VIEW_NOT_FOUND: notFound('view'),
  SLUG_TAKEN: conflict('Another account or partner has this slug.', 'Choose another slug.'),
  ACCOUNT_CLOSED: conflict('The account is closed; that is final.'),
  STATE_CONFLICT: conflict('The state of the resource does not allow this.'),
} as const satisfies ErrorCatalogue;
