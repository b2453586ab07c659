import { Injectable } from '@nestjs/common';
import { auditView, type AuditDocument } from './audit.js';
import { ViewStore, type Found, type Keyset } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

@Injectable()
export class AuditQueries {
  constructor(private readonly views: ViewStore) {}

  /** Newest first, after a creation position; `positions` become the next cursor. */
  listEntries(accountId: string, page: Keyset): Promise<Found<AuditDocument>> {
    const where = { account_id: accountId };
    return this.views.find(auditView, { where, order: 'newest', ...page });
  }

  async listSignIns(memberId: string, limit: number, offset = 0): Promise<readonly string[]> {
    const where = { session_of: memberId };
    const found = await this.views.find(auditView, { where, order: 'newest', limit, offset });
    return found.documents.map(({ subject }) => subject.id);
  }
}

export const AuditViewModule = viewModule(AuditQueries);
