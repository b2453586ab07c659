import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import {
  ChangePlan,
  CloseAccount,
  DEFAULT_PLAN,
  RegisterAccount,
  ResumeAccount,
  SuspendAccount,
  SwitchEnvironment,
  type AccountCommand,
} from '../../../contexts/accounts/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { RequestOrigin } from '../../../http/request.js';
import { operationOf } from '../operator.surface.js';
import {
  CloseBody,
  CreateAccountBody,
  EnvironmentBody,
  OperatorListQuery,
  PlanBody,
} from '../operator.requests.js';
import { OperatedAccount, operatedAccountResource, OperatedAccounts } from '../operator.resources.js';
import { refusalOf } from '../../errors/answers.js';

const params = { id: 'ACCOUNT_NOT_FOUND' } as const;
const found = ['ACCOUNT_NOT_FOUND'] as const;
const open = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'] as const;
const described = { tag: 'Account', type: OperatedAccount } as const;

@Controller()
export class OperatorAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly clock: Clock,
  ) {}

  @Operation(
    operationOf({
      id: 'openAccount',
      ...described,
      route: 'POST /v1/operator/accounts',
      summary: 'Open an account',
      body: CreateAccountBody,
      created: true,
      errors: ['SLUG_TAKEN'],
    }),
  )
  async create(@Body() body: CreateAccountBody, @RequestOrigin() by: Origin) {
    const plan = {
      jobsPerMonth: body.jobs_per_month ?? DEFAULT_PLAN.jobsPerMonth,
      maxContentBytes: body.max_content_bytes ?? DEFAULT_PLAN.maxContentBytes,
      maxAutoRetries: body.max_auto_retries ?? DEFAULT_PLAN.maxAutoRetries,
    };
    const details = { name: body.name, virtualPrintersOnly: body.virtual_printers_only, plan };
    const command = new RegisterAccount({ details, slug: body.slug, at: this.clock.now(), by });
    const registered = await this.commands.execute(command);
    if (!registered.ok) throw refusalOf('operator', registered.rejection);
    return this.show(registered.id);
  }

  @Operation(
    operationOf({
      id: 'listAccounts',
      tag: 'Account',
      type: OperatedAccounts,
      route: 'GET /v1/operator/accounts',
      summary: 'List all accounts',
      query: OperatorListQuery,
    }),
  )
  async list(@Query() query: OperatorListQuery) {
    const { items, total } = await this.accounts.listAccounts(query);
    return answer('OK', { items: items.map(operatedAccountResource), total });
  }

  @Operation(
    operationOf({
      id: 'showAccount',
      route: 'GET /v1/operator/accounts/:id',
      summary: 'An account',
      params,
      errors: found,
    }),
  )
  get(@Param('id') id: string) {
    return this.show(id);
  }

  @Operation(
    operationOf({
      id: 'suspendAccount',
      ...described,
      route: 'POST /v1/operator/accounts/:id/suspend',
      summary: 'Suspend an account',
      params,
      errors: open,
    }),
  )
  suspend(@Param('id') id: string, @RequestOrigin() by: Origin) {
    return this.change(id, new SuspendAccount({ accountId: id, at: this.clock.now(), by }));
  }

  @Operation(
    operationOf({
      id: 'resumeAccount',
      ...described,
      route: 'POST /v1/operator/accounts/:id/resume',
      summary: 'Resume a suspended account',
      params,
      errors: open,
    }),
  )
  resume(@Param('id') id: string, @RequestOrigin() by: Origin) {
    return this.change(id, new ResumeAccount({ accountId: id, at: this.clock.now(), by }));
  }

  @Operation(
    operationOf({
      id: 'closeAccount',
      ...described,
      route: 'POST /v1/operator/accounts/:id/close',
      summary: 'Close an account; that is final',
      params,
      body: CloseBody,
      bodyOptional: true,
      errors: found,
    }),
  )
  close(@Param('id') id: string, @Body() { reason }: CloseBody, @RequestOrigin() by: Origin) {
    return this.change(
      id,
      new CloseAccount({
        accountId: id,
        reason: reason ?? 'closed by the operator',
        at: this.clock.now(),
        by,
      }),
    );
  }

  @Operation(
    operationOf({
      id: 'switchEnvironment',
      route: 'POST /v1/operator/accounts/:id/environment',
      summary: 'Switch the public API of an account on or off',
      params,
      body: EnvironmentBody,
      errors: open,
    }),
  )
  environment(@Param('id') id: string, @Body() { enabled }: EnvironmentBody, @RequestOrigin() by: Origin) {
    return this.change(id, new SwitchEnvironment({ accountId: id, enabled, at: this.clock.now(), by }));
  }

  @Operation(
    operationOf({
      id: 'changePlan',
      ...described,
      route: 'POST /v1/operator/accounts/:id/plan',
      summary: 'Change the plan of an account',
      params,
      body: PlanBody,
      errors: open,
    }),
  )
  plan(@Param('id') id: string, @Body() body: PlanBody, @RequestOrigin() by: Origin) {
    const changes = {
      jobsPerMonth: body.jobs_per_month,
      maxContentBytes: body.max_content_bytes,
      maxAutoRetries: body.max_auto_retries,
    };
    return this.change(id, new ChangePlan({ accountId: id, changes, at: this.clock.now(), by }));
  }

  private async change(id: string, command: AccountCommand) {
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('operator', outcome.rejection);
    return this.show(id);
  }

  private async show(id: string) {
    const account = await this.accounts.getAccount(id);
    if (!account) throw new ApiError('ACCOUNT_NOT_FOUND');
    return answer('OK', operatedAccountResource(account));
  }
}
