import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import { PartnerQueries } from '../../../../projections/accounts/accounts.queries.js';
import {
  ACCOUNT_STATUSES,
  type AccountStatus,
  CloseAccount,
  ProvisionAccount,
} from '../../../contexts/accounts/index.js';
import { created, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional, present } from '../../../http/validation/field.js';
import { constant, dateTime, integer, name, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { ComputerAdministration, Enrollment } from '../../computer-administration.js';
import { orRefuse } from '../../errors/answers.js';
import { mustAllowNewResources, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerCaller, PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';

export class ProvisionAccountBody {
  @Field(text({ max: 160 }), { description: "The partner's own id of the customer" }) external_id!: string;
  @Field(name({ min: 2, max: 120 })) display_name!: string;
}

export class DeactivateAccountBody {
  @Field(text({ max: 500 }), optional) reason: string = 'deactivated by the partner';
}

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), { optional: true, default: 600 }) ttl_seconds: number = 600;
}

export class PartnerAccount {
  @Field(constant('svc_partner_account_v1')) contract!: 'svc_partner_account_v1';
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 160 })) external_id!: string;
  @Field(text({ max: 60 }), { description: 'The partner' }) partner!: string;
  @Field(text({ max: 120 })) display_name!: string;
  @Field(oneOf(...ACCOUNT_STATUSES)) status!: AccountStatus;
  @Field(dateTime()) created_at!: Instant;

  static readonly example: PartnerAccount = {
    contract: 'svc_partner_account_v1',
    account_id: '01990000-0000-7000-8000-000000000001',
    external_id: 'customer-4711',
    partner: 'acme-pos',
    display_name: 'Bakery Smith',
    status: 'active',
    created_at: '2026-11-21T12:00:00.000Z',
  };
}

/** @param partner slug of the partner */
export function partnerAccountResource(document: AccountDocument, partner: string): PartnerAccount {
  return present(PartnerAccount, document, {
    contract: 'svc_partner_account_v1',
    external_id: document.external_id ?? '',
    partner,
    display_name: document.name,
  });
}

const Operation = operationsOf(partner, {});

@Controller()
export class PartnerAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly partners: PartnerQueries,
    private readonly computers: ComputerAdministration,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'provisionAccount',
    route: 'POST /v1/accounts',
    summary: 'Provision an account',
    tag: 'Account',
    description:
      'One account per external_id, however often and however many at once: a repeat answers the existing account, ' +
      'and another display_name renames it.',
    scopes: ['accounts:write'],
    limit: { perMinute: LIMITS.provisionAccount },
    body: ProvisionAccountBody,
    requestExample: { external_id: 'customer-4711', display_name: 'Bakery Smith' },
    success: ok('The account.', PartnerAccount, { code: 'ACCOUNT_PROVISIONED' }),
    errors: ['ACCOUNT_CLOSED'],
  })
  async provision(
    @Body() { external_id: externalId, display_name: displayName }: ProvisionAccountBody,
    @Caller() caller: PartnerCaller,
  ) {
    const at = this.clock.now();
    const { partnerId, by } = caller;
    const command = new ProvisionAccount({ partnerId, externalId, displayName, at, by });
    const provisioned = orRefuse('partner', await this.commands.execute(command));
    return await this.show(caller, provisioned.id);
  }

  @Operation({
    id: 'deactivateAccount',
    route: 'POST /v1/accounts/:account_id/deactivate',
    summary: 'Deactivate an account',
    tag: 'Account',
    description:
      'Closes the account for good. Its keys, device credentials and unused enrolment tokens die, queued and leased jobs are cancelled, history ' +
      'stays readable. A repeat changes nothing and answers the same.',
    scopes: ['accounts:write'],
    limit: { perMinute: LIMITS.deactivateAccount },
    body: DeactivateAccountBody,
    bodyOptional: true,
    requestExample: { reason: 'the customer left' },
    success: ok('The account is closed.', PartnerAccount, {
      code: 'ACCOUNT_DEACTIVATED',
      example: { ...PartnerAccount.example, status: 'closed' },
    }),
  })
  async deactivate(
    @Param('account_id') accountId: string,
    @Body() { reason }: DeactivateAccountBody,
    @Caller() caller: PartnerCaller,
  ) {
    await this.accounts.known(caller, accountId);
    const command = new CloseAccount({ accountId, reason, at: this.clock.now(), by: caller.by });
    orRefuse('partner', await this.commands.execute(command));
    return await this.show(caller, accountId);
  }

  @Operation({
    id: 'createEnrollment',
    route: 'POST /v1/accounts/:account_id/enrollments',
    summary: 'Create an enrolment token',
    tag: 'Computers',
    description: 'The token enrols one computer.',
    scopes: ['devices:write'],
    limit: { perMinute: LIMITS.createEnrollment },
    body: CreateEnrollmentBody,
    bodyOptional: true,
    success: created('The token; it is shown this once.', Enrollment, { code: 'ENROLLMENT_CREATED' }),
    errors: ['ACCOUNT_CLOSED', 'SVC_ACCOUNT_SUSPENDED'],
  })
  async enrollment(
    @Param('account_id') accountId: string,
    @Body() { ttl_seconds }: CreateEnrollmentBody,
    @Caller() caller: PartnerCaller,
  ) {
    mustAllowNewResources(await this.accounts.known(caller, accountId));
    return this.computers.enroll(accountId, ttl_seconds, caller.by);
  }

  private async show(caller: PartnerPrincipal, accountId: string) {
    const [account, partner] = await Promise.all([
      this.accounts.known(caller, accountId),
      this.partners.getPartner(caller.partnerId),
    ]);
    return partnerAccountResource(account, partner!.partner);
  }
}
