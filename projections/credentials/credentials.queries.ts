import { Injectable } from '@nestjs/common';
import {
  apiKeysView,
  partnerCredentialsView,
  type ApiKeyDocument,
  type PartnerCredentialDocument,
} from './credentials.js';
import { ViewStore, type ListPage, type ListRange } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

@Injectable()
export class ApiKeyQueries {
  constructor(private readonly views: ViewStore) {}

  getKey(keyId: string): Promise<ApiKeyDocument | undefined> {
    return this.views.get(apiKeysView, keyId);
  }

  async getKeys(accountId: string, keyIds: readonly string[]): Promise<readonly ApiKeyDocument[]> {
    const found = await this.views.getMany(apiKeysView, keyIds);
    return found.filter((key) => key.account_id === accountId);
  }

  listKeys(accountId: string, page: ListRange): Promise<ListPage<ApiKeyDocument>> {
    const where = { account_id: accountId };
    return this.views.page(apiKeysView, where, page);
  }
}

const MAX_LISTED = 1000;

@Injectable()
export class PartnerCredentialQueries {
  constructor(private readonly views: ViewStore) {}

  getCredential(credentialId: string): Promise<PartnerCredentialDocument | undefined> {
    return this.views.get(partnerCredentialsView, credentialId);
  }

  async listCredentials(partnerId: string): Promise<readonly PartnerCredentialDocument[]> {
    const query = { where: { partner_id: partnerId }, order: 'newest', limit: MAX_LISTED } as const;
    return this.views.list(partnerCredentialsView, query);
  }
}

export const CredentialsViewModule = viewModule(ApiKeyQueries, PartnerCredentialQueries);
