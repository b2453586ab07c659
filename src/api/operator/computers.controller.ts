import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import {
  CreateEnrollment,
  DisableComputer,
  EnableComputer,
  RevokeComputer,
} from '../../contexts/devices/index.js';
import type { Command, CommandResult } from '../../kernel/command.js';
import { hashCredential, mintCredential } from '../../kernel/credential.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { plus } from '../../kernel/time.js';
import { Clock } from '../../ports/clock.port.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AGENT_TIMING, type AgentTiming } from '../agent-timing.js';
import { answer } from '../../http/answer.js';
import { ApiError, refusalOf } from '../../http/errors/api-error.js';
import { Operation } from '../../http/operation.js';
import { RequestOrigin } from '../../http/request.js';
import { OperatedComputers } from './operator.resources.js';
import { operationOf } from './operator.surface.js';
import { CloseBody, ComputerListQuery, CreateEnrollmentBody } from './operator.requests.js';
import { computerRejections } from './operator.errors.js';

const params = { id: 'COMPUTER_NOT_FOUND' } as const;

@Controller()
export class OperatorComputersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly liveness: LivenessStore,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

  @Operation(
    operationOf({
      id: 'createEnrollmentToken',
      route: 'POST /v1/operator/accounts/:id/enrollments',
      summary: 'Create an enrolment token; it is shown this once',
      params: { id: 'ACCOUNT_NOT_FOUND' },
      body: CreateEnrollmentBody,
      bodyOptional: true,
      created: true,
      errors: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'],
    }),
  )
  async enrollment(
    @Param('id') accountId: string,
    @Body() { ttl }: CreateEnrollmentBody,
    @RequestOrigin() by: Origin,
  ) {
    const account = await this.accounts.getAccount(accountId);
    if (!account) throw new ApiError('ACCOUNT_NOT_FOUND');
    if (account.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    const enrollmentId = this.randomness.uuid();
    const token = mintCredential('svc_enroll_live_', enrollmentId, this.randomness.bytes(32));
    const at = this.clock.now();
    const expiresAt = plus(at, ttl * 1000);
    const stored = { accountId, hash: hashCredential(token), expiresAt, createdBy: by.actor };
    await this.commands.execute(new CreateEnrollment(enrollmentId, stored, at, by));
    return answer('OK', {
      enrollment_id: enrollmentId,
      account_id: accountId,
      enrollment_token: token,
      expires_at: expiresAt,
    });
  }

  @Operation(
    operationOf({
      id: 'listComputers',
      route: 'GET /v1/operator/accounts/:id/computers',
      summary: 'List the computers of an account with the health of their agents, newest first',
      params: { id: 'ACCOUNT_NOT_FOUND' },
      query: ComputerListQuery,
      errors: ['ACCOUNT_NOT_FOUND'],
    }),
  )
  async list(@Param('id') accountId: string, @Query() query: ComputerListQuery) {
    if (!(await this.accounts.getAccount(accountId))) throw new ApiError('ACCOUNT_NOT_FOUND');
    return answer('OK', await this.computers.list(accountId, query));
  }

  @Operation(
    operationOf({
      id: 'showComputer',
      route: 'GET /v1/operator/computers/:id',
      summary: 'Get a computer with its printers',
      params,
      errors: ['COMPUTER_NOT_FOUND'],
    }),
  )
  async get(@Param('id') id: string) {
    const computer = await this.computers.getDetail(id);
    if (!computer) throw new ApiError('COMPUTER_NOT_FOUND');
    return answer('OK', computer);
  }

  @Operation(
    operationOf({
      id: 'disableComputer',
      route: 'POST /v1/operator/computers/:id/disable',
      summary: 'Stop giving work to a computer',
      params,
      errors: ['COMPUTER_NOT_FOUND', 'STATE_CONFLICT'],
    }),
  )
  disable(@Param('id') id: string, @RequestOrigin() by: Origin) {
    return this.change(id, new DisableComputer(id, this.clock.now(), by));
  }

  @Operation(
    operationOf({
      id: 'enableComputer',
      route: 'POST /v1/operator/computers/:id/enable',
      summary: 'Give work to a disabled computer again',
      params,
      errors: ['COMPUTER_NOT_FOUND', 'STATE_CONFLICT'],
    }),
  )
  async enable(@Param('id') id: string, @RequestOrigin() by: Origin) {
    const at = this.clock.now();
    const [seen] = await this.liveness.lastHeartbeats([`computer:${id}`]);
    const present = seen !== undefined && plus(seen, this.timing.presenceTimeoutMs) > at;
    return this.change(id, new EnableComputer(id, present, at, by));
  }

  @Operation(
    operationOf({
      id: 'revokeComputer',
      route: 'POST /v1/operator/computers/:id/revoke',
      summary: 'Take the credential of a computer away',
      params,
      body: CloseBody,
      bodyOptional: true,
      errors: ['COMPUTER_NOT_FOUND'],
    }),
  )
  revoke(@Param('id') id: string, @Body() { reason }: CloseBody, @RequestOrigin() by: Origin) {
    return this.change(id, new RevokeComputer(id, reason ?? 'revoked by the operator', this.clock.now(), by));
  }

  private async change(id: string, command: Command<CommandResult<EnableComputer>>) {
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf(computerRejections, outcome.rejection);
    return answer('OK', await this.computers.get(id));
  }
}
