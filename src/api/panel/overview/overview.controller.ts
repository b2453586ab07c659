import { Controller } from '@nestjs/common';
import { answer } from '../../../http/answer.js';
import { Operation } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Overview } from './overview.resource.js';
import { Overviews } from './overviews.js';
import { operationOf } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

const getOverview = operationOf({
  id: 'getOverview',
  route: 'GET /v1/panel/overview',
  summary: 'Show what needs attention',
  description: 'Computed at most every five seconds.',
  tag: 'Account',
  scopes: ['jobs:read'],
  limit: { perMinute: 60 },
  success: {
    status: 200,
    type: Overview,
    description: 'Counts, use and what needs a person.',
    codes: ['OK'],
  },
});

@Controller()
export class OverviewController {
  constructor(private readonly overviews: Overviews) {}

  @Operation(getOverview)
  async get(@Caller() { accountId }: MemberPrincipal) {
    return answer('OK', await this.overviews.get(accountId));
  }
}
