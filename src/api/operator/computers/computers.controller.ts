import { Body, Controller, Param, Query } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { integer } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { ComputerAdministration } from '../../computer-administration.js';
import { Enrollments } from '../../enrollments.js';
import { CloseBody, ComputerListQuery, OperatedComputers } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

const params = { id: 'COMPUTER_NOT_FOUND' } as const;

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), optional) ttl: number = 600;
}

@Controller()
export class OperatorComputersController {
  constructor(
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly administration: ComputerAdministration,
    private readonly enrollments: Enrollments,
  ) {}

  @OperatorOperation({
    id: 'createEnrollmentToken',
    route: 'POST /v1/operator/accounts/:id/enrollments',
    summary: 'Create an enrolment token; it is shown this once',
    params: { id: 'ACCOUNT_NOT_FOUND' },
    body: CreateEnrollmentBody,
    bodyOptional: true,
    creates: true,
    errors: ['ACCOUNT_CLOSED'],
  })
  async enrollment(
    @Param('id') accountId: string,
    @Body() { ttl }: CreateEnrollmentBody,
    @RequestOrigin() by: Origin,
  ) {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    if (account.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    return this.enrollments.create(accountId, ttl, by);
  }

  @OperatorOperation({
    id: 'listComputers',
    route: 'GET /v1/operator/accounts/:id/computers',
    summary: 'List the computers of an account with the health of their agents, newest first',
    params: { id: 'ACCOUNT_NOT_FOUND' },
    query: ComputerListQuery,
  })
  async list(@Param('id') accountId: string, @Query() query: ComputerListQuery) {
    orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    return await this.computers.list(accountId, query);
  }

  @OperatorOperation({
    id: 'showComputer',
    route: 'GET /v1/operator/computers/:id',
    summary: 'Get a computer with its printers',
    params,
  })
  async get(@Param('id') id: string) {
    return orNotFound(await this.computers.getDetail(id), 'COMPUTER_NOT_FOUND');
  }

  @OperatorOperation({
    id: 'disableComputer',
    route: 'POST /v1/operator/computers/:id/disable',
    summary: 'Stop giving work to a computer',
    params,
    errors: ['STATE_CONFLICT'],
  })
  async disable(@Param('id') id: string, @RequestOrigin() by: Origin) {
    await this.administration.disable(id, by);
    return await this.computers.get(id);
  }

  @OperatorOperation({
    id: 'enableComputer',
    route: 'POST /v1/operator/computers/:id/enable',
    summary: 'Give work to a disabled computer again',
    params,
    errors: ['STATE_CONFLICT'],
  })
  async enable(@Param('id') id: string, @RequestOrigin() by: Origin) {
    await this.administration.enable(id, by);
    return await this.computers.get(id);
  }

  @OperatorOperation({
    id: 'revokeComputer',
    route: 'POST /v1/operator/computers/:id/revoke',
    summary: 'Take the credential of a computer away',
    params,
    body: CloseBody,
    bodyOptional: true,
  })
  async revoke(@Param('id') id: string, @Body() { reason }: CloseBody, @RequestOrigin() by: Origin) {
    await this.administration.revoke(id, reason ?? 'revoked by the operator', by);
    return await this.computers.get(id);
  }
}
