import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { partnersView, type PartnerDocument } from './partners.js';

interface PartnerPage {
  readonly items: readonly PartnerDocument[];
  readonly total: number;
}

/** Queries about partners. */
@Injectable()
export class PartnerQueries {
  constructor(private readonly views: ViewStore) {}

  getPartner(partnerId: string): Promise<PartnerDocument | undefined> {
    return this.views.get<PartnerDocument>(partnersView, partnerId);
  }

  /** Newest first. */
  async listPartners(page: { readonly limit: number; readonly offset: number }): Promise<PartnerPage> {
    const [found, total] = await Promise.all([
      this.views.find<PartnerDocument>(partnersView, { where: {}, order: 'newest', ...page }),
      this.views.count(partnersView, {}),
    ]);
    return { items: found.documents, total };
  }
}
