import { Body, Controller, Param } from '@nestjs/common';
import type { ApiKeyDocument } from '../../../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import { answer } from '../../../http/answer.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { KeyAdministration } from '../../key-administration.js';
import { ActorNames } from '../actor-names.js';
import { keyResource, PanelKey, PanelKeys, PanelKeyWithSecret } from './key.resource.js';
import { CreatePanelKeyBody } from '../panel.requests.js';
import { CLOSED_TO_WRITES, operationOf } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { LivenessStore } from '../../../event-sourcing/index.js';

const own = { tag: 'Keys', scopes: ['panel:keys'] } as const;

const listKeys = operationOf({
  ...own,
  id: 'listKeys',
  route: 'GET /v1/panel/keys',
  summary: 'List the API keys',
  limit: { perMinute: 60 },
  success: { status: 200, type: PanelKeys, description: 'The keys, also revoked ones.', codes: ['OK'] },
});

const createKey = operationOf({
  ...own,
  id: 'createKey',
  route: 'POST /v1/panel/keys',
  summary: 'Create an API key',
  limit: { perMinute: 30 },
  body: CreatePanelKeyBody,
  requestExample: { name: 'Till', scopes: ['jobs:create', 'jobs:read'] },
  success: {
    status: 201,
    type: PanelKeyWithSecret,
    description: 'The key, and its secret.',
    codes: ['OK'],
  },
  errors: ['ACCOUNT_CLOSED', ...CLOSED_TO_WRITES],
});

const revokeKey = operationOf({
  ...own,
  id: 'revokeKey',
  route: 'POST /v1/panel/keys/:key_id/revoke',
  summary: 'Revoke an API key',
  description: 'The key is refused from now on, for good.',
  limit: { perMinute: 30 },
  params: { key_id: 'KEY_NOT_FOUND' },
  success: { status: 200, type: PanelKey, description: 'The revoked key.', codes: ['OK'] },
  errors: CLOSED_TO_WRITES,
});

/** More than a page shows. */
const NEWEST = { limit: 1_000, offset: 0 };

@Controller()
export class PanelKeysController {
  constructor(
    private readonly keys: KeyAdministration,
    private readonly listed: ApiKeyQueries,
    private readonly names: ActorNames,
    private readonly liveness: LivenessStore,
  ) {}

  @Operation(listKeys)
  async list(@Caller() { accountId }: MemberPrincipal) {
    const { items } = await this.listed.listKeys(accountId, NEWEST);
    return answer('OK', { items: await this.shown(accountId, items) });
  }

  @Operation(createKey)
  async create(
    @Body() body: CreatePanelKeyBody,
    @Caller() { accountId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const { key, secret } = await this.keys.create(accountId, body, by);
    const [shown] = await this.shown(accountId, [key]);
    return answer('OK', { ...shown, api_key: secret });
  }

  @Operation(revokeKey)
  async revoke(
    @Param('key_id') keyId: string,
    @Caller() { accountId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    await this.keys.get(keyId, accountId);
    const [shown] = await this.shown(accountId, [await this.keys.revoke(keyId, by)]);
    return answer('OK', shown);
  }

  private async shown(accountId: string, keys: readonly ApiKeyDocument[]): Promise<readonly PanelKey[]> {
    const [named, used] = await Promise.all([
      this.names.of(
        accountId,
        keys.map(({ created_by }) => created_by),
      ),
      this.liveness.lastHeartbeats(keys.map(({ key_id }) => `key:${key_id}`)),
    ]);
    return keys.map((key, n) => keyResource(key, named(key.created_by), used[n]));
  }
}
