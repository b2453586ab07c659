import { Injectable } from '@nestjs/common';
import { accountsView, type AccountDocument, partnersView, type PartnerDocument } from './accounts.js';
import { ViewStore, type ListPage, type ListRange } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

@Injectable()
export class AccountQueries {
  constructor(private readonly views: ViewStore) {}

  getAccount(accountId: string): Promise<AccountDocument | undefined> {
    return this.views.get(accountsView, accountId);
  }

  /** Also undefined for an account of another partner or of the operator. */
  async getPartnerAccount(partnerId: string, accountId: string): Promise<AccountDocument | undefined> {
    const account = await this.getAccount(accountId);
    return account?.partner_id === partnerId ? account : undefined;
  }

  listAccounts(page: ListRange): Promise<ListPage<AccountDocument>> {
    return this.views.page(accountsView, {}, page);
  }
}

@Injectable()
export class PartnerQueries {
  constructor(private readonly views: ViewStore) {}

  getPartner(partnerId: string): Promise<PartnerDocument | undefined> {
    return this.views.get(partnersView, partnerId);
  }

  listPartners(page: ListRange): Promise<ListPage<PartnerDocument>> {
    return this.views.page(partnersView, {}, page);
  }
}

export const AccountsViewModule = viewModule(AccountQueries, PartnerQueries);
