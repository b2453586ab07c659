import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { SYSTEM } from '../../../evidence/entry.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes } from '../../../http/operation.js';
import { Caller, type Calling } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { AccessNotes } from '../../access-notes.js';
import { EvidenceAnswers, type FileFor, PeriodQuery, SinceQuery } from '../../evidence-answers.js';
import { STREAM } from '../events/events.controller.js';
import { OperatorOperation } from '../operator.surface.js';

const ACCOUNT = {
  notFound: 'ACCOUNT_NOT_FOUND',
  pattern: /^(?:system|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
} as const;
const success = bytes('The proof file.', { media: 'text/plain' });

/** Proof files of any account, of the installation and of any stream; the account sees in its audit who took them. */
@Controller()
export class OperatorProofFilesController {
  constructor(
    private readonly evidence: EvidenceAnswers,
    private readonly accounts: AccountQueries,
    private readonly notes: AccessNotes,
  ) {}

  @OperatorOperation({
    id: 'exportAccountEvidence',
    route: 'GET /v1/operator/evidence/accounts/:account',
    summary: 'Proof of an account, or of what belongs to none',
    params: { account: ACCOUNT },
    query: PeriodQuery,
    errors: ['NOT_PUBLISHED_YET', 'EVENT_DAMAGED'],
    success,
  })
  async account(
    @Param('account') account: string,
    @Query() query: PeriodQuery,
    @Caller() { by }: Calling,
    @Req() request: FastifyRequest,
  ) {
    if (account !== SYSTEM) orNotFound(await this.accounts.getAccount(account), 'ACCOUNT_NOT_FOUND');
    await this.noteRead(account, account === SYSTEM ? SYSTEM : `account-${account}`, by);
    return this.evidence.account(fileFor(request, account, by), query);
  }

  @OperatorOperation({
    id: 'exportStreamEvidence',
    route: 'GET /v1/operator/evidence/streams/:name',
    summary: 'Proof of a stream',
    params: { name: STREAM },
    query: SinceQuery,
    errors: ['STREAM_NOT_FOUND', 'NOT_PUBLISHED_YET', 'EVENT_DAMAGED'],
    success,
  })
  async stream(
    @Param('name') name: string,
    @Query() query: SinceQuery,
    @Caller() { by }: Calling,
    @Req() request: FastifyRequest,
  ) {
    const accountId = orNotFound(await this.evidence.accountOfStream(name), 'STREAM_NOT_FOUND');
    await this.noteRead(accountId, name, by);
    return this.evidence.stream(fileFor(request, accountId, by), name, query);
  }

  private noteRead(account: string, stream: string, by: Origin): Promise<void> {
    const read = { type: 'OperatorReadStream', data: { stream } } as const;
    return this.notes.operatorReads(account === SYSTEM ? undefined : account, read, by);
  }
}

const fileFor = (request: FastifyRequest, accountId: string, { actor }: Origin): FileFor => ({
  ...{ request, accountId, owner: actor.id, isOperator: true },
});
