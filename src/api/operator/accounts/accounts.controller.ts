import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { PastQueries } from '../../../../projections/past/past.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  type AccountCommand,
  ChangePlan,
  CloseAccount,
  DEFAULT_PLAN,
  RegisterAccount,
  ResumeAccount,
  SLUG_MAX_LENGTH,
  SLUG_PATTERN,
  SuspendAccount,
  SwitchEnvironment,
} from '../../../contexts/accounts/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { boolean, dateTime, integer, name, text } from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { printerResource } from '../../resources/printer.resource.js';
import { webhookResources } from '../../resources/webhook.resource.js';
import {
  CloseBody,
  OperatedAccount,
  operatedAccountResource,
  OperatedAccounts,
  operatedComputerResource,
  OperatorListQuery,
} from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

const described = { tag: 'Account', type: OperatedAccount } as const;

const SLUG = {
  max: SLUG_MAX_LENGTH,
  pattern: SLUG_PATTERN,
  message: 'must be 1 to 60 of a-z, 0-9 in words joined by hyphens',
};

const jobsPerMonth = integer(0, 1_000_000_000);

const maxContentBytes = integer(1, 10_485_760);

export class CreateAccountBody {
  @Field(name({ max: 120 })) name!: string;
  @Field(text(SLUG), { optional: true, example: 'my-shop' }) slug?: string;
  @Field(boolean(), optional) virtual_printers_only: boolean = false;
  @Field(jobsPerMonth, { optional: true, nullable: true }) jobs_per_month?: number | null;
  @Field(maxContentBytes, optional) max_content_bytes?: number;
  @Field(integer(1, 10), optional) max_auto_retries?: number;
}

export class PlanBody {
  @Field(jobsPerMonth, { optional: true, nullable: true }) jobs_per_month?: number | null;
  @Field(maxContentBytes, optional) max_content_bytes?: number;
  @Field(integer(1, 10), optional) max_auto_retries?: number;
}

export class EnvironmentBody {
  @Field(boolean()) enabled!: boolean;
}

export class AccountStateQuery {
  @Field(dateTime()) at!: string;
}

@Controller()
export class OperatorAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly past: PastQueries,
    private readonly webhooks: WebhookQueries,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'openAccount',
    ...described,
    route: 'POST /v1/operator/accounts',
    summary: 'Open an account',
    body: CreateAccountBody,
    creates: true,
    errors: ['SLUG_TAKEN'],
  })
  async create(@Body() body: CreateAccountBody, @Caller() { by }: Calling) {
    const plan = {
      jobsPerMonth: body.jobs_per_month ?? DEFAULT_PLAN.jobsPerMonth,
      maxContentBytes: body.max_content_bytes ?? DEFAULT_PLAN.maxContentBytes,
      maxAutoRetries: body.max_auto_retries ?? DEFAULT_PLAN.maxAutoRetries,
    };
    const details = { name: body.name, virtualPrintersOnly: body.virtual_printers_only, plan };
    const command = new RegisterAccount({ details, slug: body.slug, at: this.clock.now(), by });
    const registered = orRefuse('operator', await this.commands.execute(command));
    return this.show(registered.id);
  }

  @OperatorOperation({
    id: 'listAccounts',
    tag: 'Account',
    type: OperatedAccounts,
    route: 'GET /v1/operator/accounts',
    summary: 'List all accounts',
    query: OperatorListQuery,
  })
  async list(@Query() query: OperatorListQuery) {
    const { items, total } = await this.accounts.listAccounts(query);
    return { items: items.map(operatedAccountResource), total };
  }

  @OperatorOperation({
    id: 'showAccount',
    route: 'GET /v1/operator/accounts/:id',
    summary: 'An account',
  })
  get(@Param('id') id: string) {
    return this.show(id);
  }

  @OperatorOperation({
    id: 'listWebhooksOf',
    route: 'GET /v1/operator/accounts/:id/webhooks',
    summary: 'List the webhooks of an account with their health, newest first',
  })
  async listWebhooks(@Param('id') id: string) {
    orNotFound(await this.accounts.getAccount(id), 'ACCOUNT_NOT_FOUND');
    return { items: await webhookResources(await this.webhooks.listWebhooks(id), this.liveness) };
  }

  @OperatorOperation({
    id: 'suspendAccount',
    ...described,
    route: 'POST /v1/operator/accounts/:id/suspend',
    summary: 'Suspend an account',
    errors: ['ACCOUNT_CLOSED'],
  })
  suspend(@Param('id') id: string, @Caller() { by }: Calling) {
    return this.change(id, new SuspendAccount({ accountId: id, at: this.clock.now(), by }));
  }

  @OperatorOperation({
    id: 'resumeAccount',
    ...described,
    route: 'POST /v1/operator/accounts/:id/resume',
    summary: 'Resume a suspended account',
    errors: ['ACCOUNT_CLOSED'],
  })
  resume(@Param('id') id: string, @Caller() { by }: Calling) {
    return this.change(id, new ResumeAccount({ accountId: id, at: this.clock.now(), by }));
  }

  @OperatorOperation({
    id: 'closeAccount',
    ...described,
    route: 'POST /v1/operator/accounts/:id/close',
    summary: 'Close an account; that is final',
    body: CloseBody,
    bodyOptional: true,
  })
  close(
    @Param('id') id: string,
    @Body() { reason = 'closed by the operator' }: CloseBody,
    @Caller() { by }: Calling,
  ) {
    return this.change(id, new CloseAccount({ accountId: id, reason, at: this.clock.now(), by }));
  }

  @OperatorOperation({
    id: 'switchEnvironment',
    route: 'POST /v1/operator/accounts/:id/environment',
    summary: 'Switch the public API of an account on or off',
    body: EnvironmentBody,
  })
  environment(@Param('id') id: string, @Body() { enabled }: EnvironmentBody, @Caller() { by }: Calling) {
    return this.change(id, new SwitchEnvironment({ accountId: id, enabled, at: this.clock.now(), by }));
  }

  @OperatorOperation({
    id: 'changePlan',
    ...described,
    route: 'POST /v1/operator/accounts/:id/plan',
    summary: 'Change the plan of an account',
    body: PlanBody,
    errors: ['ACCOUNT_CLOSED'],
  })
  plan(@Param('id') id: string, @Body() body: PlanBody, @Caller() { by }: Calling) {
    const changes = {
      jobsPerMonth: body.jobs_per_month,
      maxContentBytes: body.max_content_bytes,
      maxAutoRetries: body.max_auto_retries,
    };
    return this.change(id, new ChangePlan({ accountId: id, changes, at: this.clock.now(), by }));
  }

  /** Folded from the events up to then. */
  @OperatorOperation({
    id: 'showAccountState',
    route: 'GET /v1/operator/accounts/:id/state',
    summary: 'An account, its computers and printers, and its jobs by status, at a moment',
    limit: { perMinute: 6 },
    query: AccountStateQuery,
  })
  async state(@Param('id') id: string, @Query() { at }: AccountStateQuery) {
    const { account, computers, jobs, isComplete } = orNotFound(
      await this.past.state(id, at),
      'ACCOUNT_NOT_FOUND',
    );
    return {
      at,
      complete: isComplete,
      account: operatedAccountResource(account),
      computers: computers.map(({ computer, printers }) => ({
        ...operatedComputerResource(computer, undefined),
        printers: printers.map((printer) => printerResource(printer, undefined)),
      })),
      jobs,
    };
  }

  private async change(id: string, command: AccountCommand) {
    orRefuse('operator', await this.commands.execute(command));
    return this.show(id);
  }

  private async show(id: string) {
    const account = orNotFound(await this.accounts.getAccount(id), 'ACCOUNT_NOT_FOUND');
    return operatedAccountResource(account);
  }
}
