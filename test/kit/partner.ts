import { randomUUID } from 'node:crypto';
import type { Answered, Call } from './http/client.js';
import type { Reachable } from './world.js';

export const PARTNER_SCOPES = [
  'diagnostics:read',
  'accounts:write',
  'devices:read',
  'devices:write',
  'printers:read',
  'printers:write',
  'jobs:read',
  'jobs:write',
];

/** API client of a partner with one credential. */
export class TestPartner {
  private constructor(
    private readonly service: Pick<Reachable, 'call' | 'operate'>,
    readonly partnerId: string,
    /** The partner's slug. */
    readonly partner: string,
    readonly credential: string,
    readonly credentialId: string,
  ) {}

  static async open(
    service: Pick<Reachable, 'call' | 'operate'>,
    scopes: readonly string[] = PARTNER_SCOPES,
  ): Promise<TestPartner> {
    const opened = await service.operate('POST', '/partners', { name: 'Acme POS' });
    const partnerId = String(opened.partner_id);
    const path = `/partners/${partnerId}/credentials`;
    const created = await service.operate('POST', path, { kind: 'live', scopes });
    const { credential, credential_id } = created as Record<string, string>;
    return new TestPartner(service, partnerId, String(opened.partner), credential!, credential_id!);
  }

  call(method: string, path: string, call: Call = {}): Promise<Answered> {
    return this.service.call(method, path, { as: this.credential, ...call });
  }

  /** Creates another credential of the partner; resolves to its secret and id. */
  async credentialOf(kind: 'live' | 'test', scopes: readonly string[]) {
    const path = `/partners/${this.partnerId}/credentials`;
    const created = await this.service.operate('POST', path, { kind, scopes });
    return { secret: String(created.credential), id: String(created.credential_id) };
  }

  provision(external_id: string = randomUUID(), display_name = 'Bakery Smith'): Promise<Answered> {
    return this.call('POST', '/accounts', { json: { external_id, display_name } });
  }

  /** Creates an account; resolves to its id. */
  async account(display_name?: string): Promise<string> {
    return String((await this.provision(undefined, display_name)).body.data!.account_id);
  }

  print(accountId: string, printer_id: string, more: object = {}, key: string = randomUUID()) {
    const content = { type: 'text', encoding: 'utf8', data: 'Hello, printer' };
    return this.call('POST', `/accounts/${accountId}/jobs`, {
      headers: { 'idempotency-key': key },
      json: { printer_id, content, ...more },
    });
  }

  /** The items of a list. */
  async list(path: string): Promise<Record<string, unknown>[]> {
    const { status, text, body } = await this.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${text}`);
    return body.data!.items as Record<string, unknown>[];
  }
}

/** Walks all pages of a list. */
export async function walk(
  partner: TestPartner,
  path: string,
  betweenPages: () => Promise<unknown> = async () => undefined,
): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  for (let cursor: string | null = null; ;) {
    const { body } = await partner.call('GET', cursor ? `${path}&cursor=${cursor}` : path);
    const data = body.data as {
      items: Record<string, unknown>[];
      has_more: boolean;
      next_cursor: string | null;
    };
    pages.push(data.items);
    if (data.has_more !== (data.next_cursor !== null)) throw new Error('has_more and next_cursor differ');
    if (data.next_cursor === null) return pages;
    cursor = data.next_cursor;
    await betweenPages();
  }
}
