import { Injectable } from '@nestjs/common';
import { ViewStore, type ListPage, type ListRange } from '../../src/event-sourcing/ports/view-store.port.js';
import { partnersView, type PartnerDocument } from './partners.js';

/** Queries about partners. */
@Injectable()
export class PartnerQueries {
  constructor(private readonly views: ViewStore) {}

  getPartner(partnerId: string): Promise<PartnerDocument | undefined> {
    return this.views.get<PartnerDocument>(partnersView, partnerId);
  }

  /** Newest first. */
  listPartners(page: ListRange): Promise<ListPage<PartnerDocument>> {
    return this.views.page<PartnerDocument>(partnersView, {}, page);
  }
}
