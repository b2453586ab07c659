import { Body, Controller, Param, Query } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { RequestOrigin } from '../../../http/request.js';
import { ComputerAdministration } from '../../computer-administration.js';
import { Enrollments } from '../../enrollments.js';
import { OperatedComputers } from '../operator.resources.js';
import { operationOf } from '../operator.surface.js';
import { CloseBody, ComputerListQuery, CreateEnrollmentBody } from '../operator.requests.js';

const params = { id: 'COMPUTER_NOT_FOUND' } as const;

@Controller()
export class OperatorComputersController {
  constructor(
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly administration: ComputerAdministration,
    private readonly enrollments: Enrollments,
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
    return answer('OK', await this.enrollments.create(accountId, ttl, by));
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
  async disable(@Param('id') id: string, @RequestOrigin() by: Origin) {
    await this.administration.disable(id, by);
    return answer('OK', await this.computers.get(id));
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
    await this.administration.enable(id, by);
    return answer('OK', await this.computers.get(id));
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
  async revoke(@Param('id') id: string, @Body() { reason }: CloseBody, @RequestOrigin() by: Origin) {
    await this.administration.revoke(id, reason ?? 'revoked by the operator', by);
    return answer('OK', await this.computers.get(id));
  }
}
