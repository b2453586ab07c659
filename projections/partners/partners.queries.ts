import { Global, Injectable, Module } from '@nestjs/common';
import { partnersView, type PartnerDocument } from './partners.js';
import { ViewStore, type ListPage, type ListRange } from '../../src/event-sourcing/index.js';

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

@Global()
@Module({
  providers: [PartnerQueries],
  exports: [PartnerQueries],
})
export class PartnersViewModule {}
