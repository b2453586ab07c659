import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { accountsView, type AccountDocument } from './accounts.js';

interface AccountPage {
  readonly items: readonly AccountDocument[];
  readonly total: number;
}

/** Queries about accounts. */
@Injectable()
export class AccountQueries {
  constructor(private readonly views: ViewStore) {}

  getAccount(accountId: string): Promise<AccountDocument | undefined> {
    return this.views.get<AccountDocument>(accountsView, accountId);
  }

  /** Undefined for an unknown account and for one of another partner or the operator. */
  async getPartnerAccount(partnerId: string, accountId: string): Promise<AccountDocument | undefined> {
    const account = await this.getAccount(accountId);
    return account?.partner_id === partnerId ? account : undefined;
  }

  /** All accounts, newest first, for the operator. */
  async listAccounts(page: { readonly limit: number; readonly offset: number }): Promise<AccountPage> {
    const [found, total] = await Promise.all([
      this.views.find<AccountDocument>(accountsView, { where: {}, order: 'newest', ...page }),
      this.views.count(accountsView, {}),
    ]);
    return { items: found.documents, total };
  }
}
