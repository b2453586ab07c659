import { Controller, Query } from '@nestjs/common';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { answer } from '../../../http/answer.js';
import { Operation } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { integration } from '../integration.surface.js';
import { Computer, computerResource } from '../../resources/computer.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { ListComputersQuery, page } from '../integration.requests.js';
import { LivenessStore } from '../../../event-sourcing/index.js';

@Controller()
export class ComputersController {
  constructor(
    private readonly computers: ComputerQueries,
    private readonly liveness: LivenessStore,
  ) {}

  @Operation({
    id: 'listComputers',
    surface: integration,
    route: 'GET /v1/svc-api-computers',
    summary: 'List computers',
    tag: 'Computers',
    description: 'Newest first.',
    scopes: ['computers:read'],
    limit: { perMinute: 120 },
    query: ListComputersQuery,
    success: {
      status: 200,
      description: 'A page of computers.',
      type: Computer,
      list: 'page',
      codes: ['SVC_OK'],
    },
    errors: ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'],
  })
  async list(@Query() query: ListComputersQuery, @Caller() { accountId }: AccountPrincipal) {
    const { items, total } = await this.computers.listComputers(accountId, { status: query.status }, query);
    const seen = await this.liveness.lastHeartbeats(
      items.map((computer) => `computer:${computer.computer_id}`),
    );
    const resources = items.map((computer, i) => computerResource(computer, seen[i]));
    return answer('SVC_OK', page(resources, total, query));
  }
}
