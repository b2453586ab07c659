import type { OperationSpec } from '../../http/operation.js';
import { partner as surface } from './partner.surface.js';
import { Enrollment, PartnerAccount } from './account.resource.js';
import { CreateEnrollmentBody, DeactivateAccountBody, ProvisionAccountBody } from './accounts.requests.js';

const params = { account_id: 'ACCOUNT_NOT_FOUND' } as const;

export const provisionAccount: OperationSpec = {
  id: 'provisionAccount',
  surface,
  route: 'POST /v1/accounts',
  summary: 'Provision an account',
  tag: 'Account',
  description:
    'One account per external_id, however often and however many at once: a repeat answers the existing account, ' +
    'and another display_name renames it.',
  scopes: ['accounts:write'],
  limit: { perMinute: 60 },
  body: ProvisionAccountBody,
  requestExample: { external_id: 'customer-4711', display_name: 'Bakery Smith' },
  success: {
    status: 200,
    description: 'The account.',
    type: PartnerAccount,
    codes: ['ACCOUNT_PROVISIONED'],
  },
  errors: ['ACCOUNT_CLOSED'],
};

export const deactivateAccount: OperationSpec = {
  id: 'deactivateAccount',
  surface,
  route: 'POST /v1/accounts/:account_id/deactivate',
  summary: 'Deactivate an account',
  tag: 'Account',
  description:
    'Closes the account for good. Its keys, device credentials and unused enrolment tokens die, queued and leased jobs are cancelled, history ' +
    'stays readable. A repeat changes nothing and answers the same.',
  scopes: ['accounts:write'],
  limit: { perMinute: 30 },
  params,
  body: DeactivateAccountBody,
  bodyOptional: true,
  requestExample: { reason: 'the customer left' },
  success: {
    status: 200,
    description: 'The account is closed.',
    type: PartnerAccount,
    codes: ['ACCOUNT_DEACTIVATED'],
    example: { ...PartnerAccount.example, status: 'closed' },
  },
};

export const createEnrollment: OperationSpec = {
  id: 'createEnrollment',
  surface,
  route: 'POST /v1/accounts/:account_id/enrollments',
  summary: 'Create an enrolment token',
  tag: 'Computers',
  description: 'The token enrols one computer.',
  scopes: ['devices:write'],
  limit: { perMinute: 60 },
  params,
  body: CreateEnrollmentBody,
  bodyOptional: true,
  requestExample: { ttl_seconds: 600 },
  success: {
    status: 201,
    description: 'The token; it is shown this once.',
    type: Enrollment,
    codes: ['ENROLLMENT_CREATED'],
  },
  errors: ['ACCOUNT_CLOSED', 'SVC_ACCOUNT_SUSPENDED'],
};
