import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { apiKeysView, type ApiKeyDocument } from './api-keys.js';

export interface ApiKeyPage {
  readonly items: readonly ApiKeyDocument[];
  readonly total: number;
}

/** What may be asked about API keys. */
@Injectable()
export class ApiKeyQueries {
  constructor(private readonly views: ViewStore) {}

  /** For authentication and the operator: of whichever account. */
  getKey(keyId: string): Promise<ApiKeyDocument | undefined> {
    return this.views.get<ApiKeyDocument>(apiKeysView, keyId);
  }

  /** Newest first, revoked ones among them. */
  async listKeys(
    accountId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<ApiKeyPage> {
    const where = { account_id: accountId };
    const [found, total] = await Promise.all([
      this.views.find<ApiKeyDocument>(apiKeysView, { where, order: 'newest', ...page }),
      this.views.count(apiKeysView, where),
    ]);
    return { items: found.documents, total };
  }
}
