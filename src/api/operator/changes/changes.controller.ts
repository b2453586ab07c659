import { Controller, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../../http/authentication.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { uuid } from '../../../http/validation/rules.js';
import { ChangeAnswers, ChangesQuery } from '../../change-answers.js';
import { ANY_OWNER } from '../../../event-sourcing/index.js';
import { CHANGE_TYPES } from '../../resources/event-catalogue.js';
import { ProjectedPayloads } from '../../resources/projected-payloads.js';
import { OperatorOperation } from '../operator.surface.js';

export class OperatedChangesQuery extends ChangesQuery {
  @Field(uuid(), { optional: true, description: 'Absent: all accounts' }) account_id?: string;
}

@Controller()
export class OperatorChangesController {
  constructor(
    private readonly changes: ChangeAnswers,
    private readonly payloads: ProjectedPayloads,
  ) {}

  @OperatorOperation({
    id: 'listAllChanges',
    route: 'GET /v1/operator/changes',
    summary: 'List what has changed in one account or in all',
    query: OperatedChangesQuery,
  })
  list(
    @Query() query: OperatedChangesQuery,
    @Caller() { isStillValid }: Principal,
    @Req() request: FastifyRequest,
  ) {
    const types = new Set(query.event_types ?? CHANGE_TYPES);
    return this.changes.answer(request, query, {
      surface: 'operator',
      owner: query.account_id ?? ANY_OWNER,
      isWanted: (type) => types.has(type),
      show: (change) => this.payloads.bodyOf(change),
      isStillValid: async () => (await isStillValid?.()) ?? true,
    });
  }
}
