import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { SYSTEM } from '../../../evidence/entry.js';
import { EvidenceLog } from '../../../evidence/evidence-log.js';
import type { Progress } from '../../../evidence/progress.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes } from '../../../http/operation.js';
import { Caller, type Calling } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { AccessNotes } from '../../access-notes.js';
import { EvidenceAnswers, type FileFor, PeriodQuery, SinceQuery } from '../../evidence-answers.js';
import { OperatorOperation } from '../operator.surface.js';

/** Reads all events, or writes for good. */
const RARELY = { perMinute: 20 };

const success = bytes('The proof file.', { media: 'text/plain' });

/**
 * The log that shows whether stored events were changed, and proof files of any account, of the installation and of any
 * stream; the account sees in its audit who took them.
 */
@Controller()
export class OperatorEvidenceController {
  constructor(
    private readonly log: EvidenceLog,
    private readonly evidence: EvidenceAnswers,
    private readonly accounts: AccountQueries,
    private readonly notes: AccessNotes,
  ) {}

  @OperatorOperation({
    id: 'getEvidenceLog',
    route: 'GET /v1/operator/evidence',
    summary: 'How far the evidence log is built and published',
  })
  async status() {
    return shown(await this.log.progress());
  }

  @OperatorOperation({
    id: 'publishEvidence',
    route: 'POST /v1/operator/evidence/publish',
    summary: 'Publish a checkpoint of all events so far',
    limit: RARELY,
  })
  async publish(@Caller() { by }: Calling) {
    return shown(await this.log.publish(by));
  }

  @OperatorOperation({
    id: 'auditEvidence',
    route: 'POST /v1/operator/evidence/audit',
    summary: 'Compare every stored event with its hash, and the hashes with the published checkpoints',
    limit: RARELY,
  })
  async audit() {
    const { findings, total, events, checkpoints } = await this.log.audit();
    return { items: findings, total, events, checkpoints };
  }

  @OperatorOperation({
    id: 'startEvidenceLog',
    route: 'POST /v1/operator/evidence/new-log',
    summary: 'Begin a log with a new origin, which ends a halt',
    limit: RARELY,
  })
  async newLog(@Caller() { by }: Calling) {
    return shown(await this.log.startNewLog(by));
  }

  @OperatorOperation({
    id: 'exportAccountEvidence',
    route: 'GET /v1/operator/evidence/accounts/:account',
    summary: 'Proof of an account, or of what belongs to none',
    query: PeriodQuery,
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
    query: SinceQuery,
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

/**
 * Without a log or a checkpoint yet, without `origin` and `vkey`, or with `checkpoint` null. While halted, when no
 * event is read, without `events_behind`.
 */
function shown({ size, isAtEnd, log, halt }: Progress) {
  const checkpoint = log?.checkpoint ?? null;
  return {
    ...(log && { origin: log.origin, vkey: log.vkey }),
    events: size,
    ...(!halt && { events_behind: size - (checkpoint?.size ?? 0) }),
    caught_up: isAtEnd,
    checkpoint,
    halted: halt ? { between: [], ...halt } : null,
  };
}

const fileFor = (request: FastifyRequest, accountId: string, { actor }: Origin): FileFor => ({
  ...{ request, accountId, owner: actor.id, isOperator: true },
});
