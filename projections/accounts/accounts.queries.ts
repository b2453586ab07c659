import { Global, Injectable, Module } from '@nestjs/common';
import { accountsView, type AccountDocument } from './accounts.js';
import { ViewStore, type ListPage, type ListRange } from '../../src/event-sourcing/index.js';

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

@Global()
@Module({
  providers: [AccountQueries],
  exports: [AccountQueries],
})
export class AccountsViewModule {}
