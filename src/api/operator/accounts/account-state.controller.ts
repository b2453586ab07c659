import { Controller, Param, Query } from '@nestjs/common';
import { PastQueries } from '../../../../projections/past/past.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { Field } from '../../../http/validation/field.js';
import { dateTime } from '../../../http/validation/rules.js';
import { printerResource } from '../../resources/printer.resource.js';
import { operatedAccountResource, operatedComputerResource } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

export class AccountStateQuery {
  @Field(dateTime()) at!: string;
}

/** An account as it was, folded from the events up to then. */
@Controller()
export class OperatorAccountStateController {
  constructor(private readonly past: PastQueries) {}

  @OperatorOperation({
    id: 'showAccountState',
    route: 'GET /v1/operator/accounts/:id/state',
    summary: 'An account, its computers and printers, and its jobs by status, at a moment',
    limit: { perMinute: 6 },
    params: { id: 'ACCOUNT_NOT_FOUND' },
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
}
