import { Controller, Query } from '@nestjs/common';
import { AuditQueries } from '../../../../projections/audit/audit.queries.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { integer } from '../../../http/validation/rules.js';
import { CursorLists, CursorQuery } from '../../cursor-lists.js';
import { ActorNames } from '../actor-names.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { AuditEntry, auditEntry, peopleOf } from './audit.resource.js';

export class AuditQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
}

const Operation = operationsOf(panel, { tag: 'Members' });

@Controller()
export class PanelAuditController {
  constructor(
    private readonly audit: AuditQueries,
    private readonly lists: CursorLists,
    private readonly names: ActorNames,
  ) {}

  @Operation({
    id: 'listAudit',
    route: 'GET /v1/panel/audit',
    summary: 'List who changed what',
    description: 'Newest first. It begins with the release that brought the panel.',
    scopes: ['account:read'],
    limit: { perMinute: 60 },
    query: AuditQuery,
    success: ok('A page of entries.', AuditEntry, { list: 'cursor' }),
  })
  async list(@Query() query: AuditQuery, @Caller() caller: MemberPrincipal) {
    const { accountId } = caller;
    const list = this.lists.open('audit', caller, accountId, query);
    const { documents, ...page } = await list.read((keyset) => this.audit.listEntries(accountId, keyset));
    const named = await this.names.of(accountId, documents.flatMap(peopleOf));
    return { items: documents.map((entry) => auditEntry(entry, named)), ...page };
  }
}
