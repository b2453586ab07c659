import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PartnerQueries } from '../../../../projections/partners/partners.queries.js';
import { Operation, type OperationSpec } from '../../../http/operation.js';
import { CloseAccount, ProvisionAccount } from '../../../contexts/accounts/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { answer } from '../../../http/answer.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { partner as surface } from '../partner.surface.js';
import { Enrollments } from '../../enrollments.js';
import { Enrollment } from '../../resources/enrollment.resource.js';
import { PartnerAccount, partnerAccountResource } from './account.resource.js';
import { CreateEnrollmentBody, DeactivateAccountBody, ProvisionAccountBody } from '../partner.requests.js';
import { mustAllowNewResources, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { refusalOf } from '../../errors/answers.js';

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

@Controller()
export class PartnerAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly partners: PartnerQueries,
    private readonly enrollments: Enrollments,
    private readonly clock: Clock,
  ) {}

  @Operation(provisionAccount)
  async provision(
    @Body() { external_id, display_name }: ProvisionAccountBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const command = new ProvisionAccount({
      partnerId: caller.partnerId,
      externalId: external_id,
      displayName: display_name,
      at,
      by,
    });
    const provisioned = await this.commands.execute(command);
    if (!provisioned.ok) throw refusalOf('partner', provisioned.rejection);
    return answer('ACCOUNT_PROVISIONED', await this.show(caller, provisioned.id));
  }

  @Operation(deactivateAccount)
  async deactivate(
    @Param('account_id') accountId: string,
    @Body() { reason }: DeactivateAccountBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    await this.accounts.known(caller, accountId);
    const outcome = await this.commands.execute(
      new CloseAccount({ accountId, reason, at: this.clock.now(), by }),
    );
    if (!outcome.ok) throw refusalOf('partner', outcome.rejection);
    return answer('ACCOUNT_DEACTIVATED', await this.show(caller, accountId));
  }

  @Operation(createEnrollment)
  async enrollment(
    @Param('account_id') accountId: string,
    @Body() { ttl_seconds }: CreateEnrollmentBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    mustAllowNewResources(await this.accounts.known(caller, accountId));
    return answer('ENROLLMENT_CREATED', await this.enrollments.create(accountId, ttl_seconds, by));
  }

  private async show(caller: PartnerPrincipal, accountId: string) {
    const [account, partner] = await Promise.all([
      this.accounts.known(caller, accountId),
      this.partners.getPartner(caller.partnerId),
    ]);
    return partnerAccountResource(account, partner!.partner);
  }
}
