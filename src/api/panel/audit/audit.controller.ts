import { Controller, Query } from '@nestjs/common';
import { AuditQueries } from '../../../../projections/audit/audit.queries.js';
import { answer } from '../../../http/answer.js';
import { Operation } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { CursorLists } from '../../cursor-lists.js';
import { ActorNames } from '../actor-names.js';
import { AuditEntry, auditEntry, peopleOf } from './audit.resource.js';
import { AuditQuery } from '../panel.requests.js';
import { operationOf } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

const listAudit = operationOf({
  id: 'listAudit',
  route: 'GET /v1/panel/audit',
  summary: 'List who changed what',
  description: 'Newest first. It begins with the release that brought the panel.',
  tag: 'Members',
  scopes: ['account:read'],
  limit: { perMinute: 60 },
  query: AuditQuery,
  success: {
    status: 200,
    type: AuditEntry,
    list: 'cursor',
    description: 'A page of entries.',
    codes: ['OK'],
  },
});

@Controller()
export class PanelAuditController {
  constructor(
    private readonly audit: AuditQueries,
    private readonly lists: CursorLists,
    private readonly names: ActorNames,
  ) {}

  @Operation(listAudit)
  async list(@Query() query: AuditQuery, @Caller() caller: MemberPrincipal) {
    const { accountId } = caller;
    const list = this.lists.open('audit', caller, accountId, query);
    const { documents, ...page } = await list.read((keyset) => this.audit.listEntries(accountId, keyset));
    const named = await this.names.of(accountId, documents.flatMap(peopleOf));
    return answer('OK', { items: documents.map((entry) => auditEntry(entry, named)), ...page });
  }
}
