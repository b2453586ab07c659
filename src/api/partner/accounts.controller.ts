import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PartnerQueries } from '../../../projections/partners/partners.queries.js';
import { CloseAccount, ProvisionAccount } from '../../contexts/accounts/index.js';
import { CreateEnrollment } from '../../contexts/devices/index.js';
import { hashCredential, mintCredential } from '../../kernel/credential.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { plus } from '../../kernel/time.js';
import { Clock } from '../../ports/clock.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { answer } from '../../http/answer.js';
import { refusalOf } from '../../http/errors/rejections.js';
import { Operation } from '../../http/operation.js';
import { Caller, RequestOrigin } from '../../http/request.js';
import { partnerAccountResource } from './account.resource.js';
import { createEnrollment, deactivateAccount, provisionAccount } from './accounts.operations.js';
import { CreateEnrollmentBody, DeactivateAccountBody, ProvisionAccountBody } from './accounts.requests.js';
import { mustAllowNewResources, PartnerAccounts } from './partner-accounts.js';
import type { PartnerPrincipal } from './partner.authenticator.js';
import { accountRejections } from './rejections.js';

@Controller()
export class PartnerAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly partners: PartnerQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation(provisionAccount)
  async provision(
    @Body() { external_id, display_name }: ProvisionAccountBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const command = new ProvisionAccount(caller.partnerId, external_id, display_name, at, by);
    const provisioned = await this.commands.execute(command);
    if (!provisioned.ok) throw refusalOf(accountRejections, provisioned.rejection);
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
    const outcome = await this.commands.execute(new CloseAccount(accountId, reason, this.clock.now(), by));
    if (!outcome.ok) throw refusalOf(accountRejections, outcome.rejection);
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
    const enrollmentId = this.randomness.uuid();
    const token = mintCredential('svc_enroll_live_', enrollmentId, this.randomness.bytes(32));
    const at = this.clock.now();
    const expiresAt = plus(at, ttl_seconds * 1000);
    const stored = { accountId, hash: hashCredential(token), expiresAt, createdBy: by.actor };
    await this.commands.execute(new CreateEnrollment(enrollmentId, stored, at, by));
    return answer('ENROLLMENT_CREATED', {
      enrollment_id: enrollmentId,
      enrollment_token: token,
      expires_at: expiresAt,
      account_id: accountId,
    });
  }

  private async show(caller: PartnerPrincipal, accountId: string) {
    const [account, partner] = await Promise.all([
      this.accounts.known(caller, accountId),
      this.partners.getPartner(caller.partnerId),
    ]);
    return partnerAccountResource(account, partner!.partner);
  }
}
