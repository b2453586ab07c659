import { Controller, Query } from '@nestjs/common';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { COMPUTER_STATUSES } from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { oneOf } from '../../../http/validation/rules.js';
import { ListQuery, page } from '../../lists.js';
import { Computer, computerResource, lastSeen } from '../../resources/computer.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

export class ListComputersQuery extends ListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

const Operation = operationsOf(integration, { tag: 'Computers' });

@Controller()
export class ComputersController {
  constructor(
    private readonly computers: ComputerQueries,
    private readonly liveness: LivenessStore,
  ) {}

  @Operation({
    id: 'listComputers',
    route: 'GET /v1/svc-api-computers',
    summary: 'List computers',
    description: 'Newest first.',
    scopes: ['computers:read'],
    limit: { perMinute: 120 },
    query: ListComputersQuery,
    success: ok('A page of computers.', Computer, { list: 'page' }),
    errors: ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'],
  })
  async list(@Query() query: ListComputersQuery, @Caller() { accountId }: AccountPrincipal) {
    const { items, total } = await this.computers.listComputers(accountId, { status: query.status }, query);
    const seen = await lastSeen(this.liveness, items);
    const resources = items.map((computer, i) => computerResource(computer, seen[i]));
    return page(resources, total, query);
  }
}
