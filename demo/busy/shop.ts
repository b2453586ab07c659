import { randomUUID } from 'node:crypto';
import { RemotePrinting, text } from '../../sdk/src/index.js';
import type { PastService } from './past-service.js';
import { ShopAgent } from './shop-agent.js';

const SCOPES = [
  ...['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'],
  ...['jobs:retry', 'webhooks:read', 'webhooks:write'],
];

/** A computer of a shop with its Agent and printers. */
export interface Desk {
  readonly agent: ShopAgent;
  readonly printerIds: readonly string[];
}

/** An account with a key. */
export class Shop {
  readonly client: RemotePrinting;
  readonly desks: Desk[] = [];

  private constructor(
    private readonly past: PastService,
    readonly accountId: string,
    readonly apiKey: string,
  ) {
    this.client = new RemotePrinting({ apiKey, baseUrl: past.url });
  }

  static async open(past: PastService, name: string): Promise<Shop> {
    const { account_id } = await past.operator<{ account_id: string }>('POST', '/accounts', { name });
    const keys = `/accounts/${account_id}/keys`;
    const { api_key } = await past.operator<{ api_key: string }>('POST', keys, {
      name: 'till',
      scopes: SCOPES,
    });
    return new Shop(past, account_id, api_key);
  }

  async addDesk(hostname: string, printers: readonly string[]): Promise<Desk> {
    const desk = await ShopAgent.enrol(this.past, await this.enrollmentToken(), hostname, printers);
    this.desks.push(desk);
    return desk;
  }

  async enrollmentToken(): Promise<string> {
    const path = `/accounts/${this.accountId}/enrollments`;
    return (await this.past.operator<{ enrollment_token: string }>('POST', path, {})).enrollment_token;
  }

  /** Invites a member; resolves to the address of the link. */
  async invite(name: string, display_name: string, role: string): Promise<string> {
    const path = `/accounts/${this.accountId}/members`;
    const body = { name, display_name, role };
    return (await this.past.operator<{ link: { url: string } }>('POST', path, body)).link.url;
  }

  /** A webhook for these events. */
  async addWebhook(url: string, description: string, event_types: readonly string[]): Promise<void> {
    await this.client.webhooks.create({ url, description, event_types: event_types as never });
  }

  async create(printer_id: string, title: string, more: object = {}): Promise<string> {
    const content = text(`${title}\n\nThank you for your visit.\n`);
    const { job } = await this.client.jobs.create({ printer_id, content, title, ...more });
    return job.job_id;
  }
}

/** A member who is signed in, as a browser would be. */
export class SignedInMember {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  static async with(url: string, link: string): Promise<SignedInMember> {
    const answer = await fetch(`${url}/panel/session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token: link.slice(link.lastIndexOf('/') + 1) }),
    });
    if (!answer.ok) throw new Error(`the link answered ${answer.status}`);
    return new SignedInMember(url, answer.headers.get('set-cookie')!.split(';')[0]!);
  }

  /** Sends a job again after a look at the printer. */
  async printAgain(jobId: string, reason: string): Promise<void> {
    const answer = await fetch(`${this.url}/svc-api-print-jobs/${jobId}/retry`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: this.cookie },
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ reason }),
    });
    if (!answer.ok) throw new Error(`the retry answered ${answer.status}: ${await answer.text()}`);
  }
}
