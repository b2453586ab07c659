import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { object, objects } from '../../../http/validation/rules.js';
import { ChangeAnswers, CHANGES, ChangesQuery, wanted } from '../../change-answers.js';
import { ChangeHead, ChangesEnd, EXAMPLE_PAGE } from '../../resources/change.resource.js';
import { ProjectedPayloads, type PublicChange, type Resource } from '../../resources/projected-payloads.js';
import { Device, deviceResource, deviceStatusOf } from '../devices/device.resource.js';
import { Job, partnerJobResource } from '../jobs/job.resource.js';
import { PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';
import { DevicePrinter, partnerPrinterResource } from '../printers/printers.controller.js';

class ChangedOfAccount {
  @Field(object(() => Job), optional) job?: Job;
  @Field(object(() => Device), optional) device?: Device;
  @Field(object(() => DevicePrinter), optional) printer?: DevicePrinter;
}

export class AccountChange extends ChangeHead {
  @Field(object(() => ChangedOfAccount)) data!: ChangedOfAccount;
}

export class AccountChangesPage extends ChangesEnd {
  @Field(objects(() => AccountChange, 1_000)) items!: readonly AccountChange[];

  static get example(): object {
    return {
      ...EXAMPLE_PAGE,
      items: EXAMPLE_PAGE.items.map((item) => ({ ...item, data: { job: Job.example } })),
    };
  }
}

/** Heartbeats are no events, so `last_seen_at` is null. */
export function changedOfAccount(changed: Resource): ChangedOfAccount {
  switch (changed.subject) {
    case 'job':
      return { job: partnerJobResource(changed.document) };
    case 'computer':
      return { device: deviceResource(changed.document, undefined) };
    case 'printer': {
      const status = deviceStatusOf(changed.computer.status);
      return { printer: partnerPrinterResource(changed.document, { status, lastSeenAt: undefined }) };
    }
  }
}

const SCOPES = { job: 'jobs:read', computer: 'devices:read', printer: 'printers:read' };

const Operation = operationsOf(partner, {
  tag: 'Account',
  description: `${CHANGES.description} Items about jobs, devices and printers need the scope to read them; others are left out.`,
  anyScope: Object.values(SCOPES),
  query: ChangesQuery,
  headers: CHANGES.headers,
  success: [
    ok('The changes after the cursor.', AccountChangesPage, { headers: CHANGES.page }),
    CHANGES.unchanged,
  ],
  errors: ['HISTORY_CHANGED'],
});

@Controller()
export class PartnerChangesController {
  constructor(
    private readonly accounts: PartnerAccounts,
    private readonly changes: ChangeAnswers,
    private readonly payloads: ProjectedPayloads,
  ) {}

  @Operation({
    id: 'listAccountChanges',
    route: 'GET /v1/accounts/:account_id/changes',
    summary: 'List what has changed in an account',
    limit: { perMinute: LIMITS.listAccountChanges },
  })
  async listOfAccount(
    @Param('account_id') accountId: string,
    @Query() query: ChangesQuery,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    await this.accounts.known(caller, accountId);
    const isStillValid = async () => {
      await this.accounts.known(caller, accountId);
      return caller.isStillValid();
    };
    return this.answer(request, query, { ...caller, isStillValid }, accountId);
  }

  @Operation({
    id: 'listManagedChanges',
    route: 'GET /v1/managed/changes',
    summary: 'List what has changed in all accounts',
    limit: { perMinute: LIMITS.listManagedChanges },
  })
  listOfAll(
    @Query() query: ChangesQuery,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return this.answer(request, query, caller, caller.partnerId);
  }

  private answer(request: FastifyRequest, query: ChangesQuery, caller: PartnerPrincipal, owner: string) {
    const show = (change: PublicChange) => ({
      ...this.payloads.bodyOf(change),
      data: changedOfAccount(change.resource),
    });
    const { scopes, isStillValid } = caller;
    const isWanted = wanted(query, scopes, SCOPES);
    return this.changes.answer(request, query, { surface: 'partner', owner, isWanted, show, isStillValid });
  }
}
