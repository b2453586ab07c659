import { Controller } from '@nestjs/common';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { Overview } from './overview.resource.js';
import { Overviews } from './overviews.js';

const Operation = operationsOf(panel, { tag: 'Account' });

@Controller()
export class OverviewController {
  constructor(private readonly overviews: Overviews) {}

  @Operation({
    id: 'getOverview',
    route: 'GET /v1/panel/overview',
    summary: 'Show what needs attention',
    description: 'Computed at most every five seconds.',
    scopes: ['jobs:read'],
    limit: { perMinute: 60 },
    success: ok('Counts, use and what needs a person.', Overview),
  })
  async get(@Caller() { accountId }: MemberPrincipal) {
    return await this.overviews.get(accountId);
  }
}
