import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { apiKeysView, type ApiKeyDocument } from './api-keys.js';

export interface ApiKeyPage {
  readonly items: readonly ApiKeyDocument[];
  readonly total: number;
}

/** Queries about API keys. */
@Injectable()
export class ApiKeyQueries {
  constructor(private readonly views: ViewStore) {}

  /** Of any account, for authentication and the operator. */
  getKey(keyId: string): Promise<ApiKeyDocument | undefined> {
    return this.views.get<ApiKeyDocument>(apiKeysView, keyId);
  }

  /** Newest first, including revoked ones. */
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
