import { randomUUID } from 'node:crypto';

export interface Lease {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly content_hash: string;
}

interface Shop {
  readonly url: string;
  readonly now: string;
}

/** An Agent that prints nothing: it reports what a spooler would. It outlives the service of the past. */
export class ShopAgent {
  url: string;
  private sessionId = '';

  private constructor(
    private readonly shop: Shop,
    private readonly credential: string,
    readonly computerId: string,
  ) {
    this.url = shop.url;
  }

  /** Enrols a computer with these printers. Resolves to the Agent and the ids of the printers. */
  static async enrol(shop: Shop, token: string, hostname: string, printers: readonly string[]) {
    const body = { enrollment_token: token, installation_id: randomUUID(), hostname };
    const enrolled = await send<Record<string, string>>(`${shop.url}/managed/enroll`, '', 'POST', body);
    const agent = new ShopAgent(shop, enrolled!.device_credential!, enrolled!.device_id!);
    const session = await agent.call<{ session_id: string }>('POST', '/sessions', {
      ...{ installation_id: body.installation_id, agent_version: '2.0.59', hostname, journal: [] },
      operating_system: 'Windows 11 Pro 24H2',
    });
    agent.sessionId = session!.session_id;
    const inventory = await agent.call<{ printers: { printer_id: string }[] }>('PUT', '/inventory', {
      printers: printers.map((name, n) => ({
        ...{ printer_key: `p${n}`, name, driver: `${name} Driver`, port: `USB00${n}`, is_default: n === 0 },
        ...{ is_virtual: false, online: true },
        capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
      })),
    });
    return { agent, printerIds: inventory!.printers.map(({ printer_id }) => printer_id) };
  }

  heartbeat(...leases: readonly Lease[]) {
    const named = leases.map(({ lease_id }) => ({ lease_id }));
    return this.call('POST', '/heartbeat', { session_id: this.sessionId, leases: named });
  }

  async lease(): Promise<Lease> {
    const body = { session_id: this.sessionId, wait_seconds: 0, max: 1 };
    const given = await this.call<{ leases: Lease[] }>('POST', '/leases', body);
    const [lease] = given?.leases ?? [];
    if (!lease) throw new Error('there is nothing to lease');
    return lease;
  }

  /** Takes the oldest job up to the hand-off. */
  async handOff(): Promise<Lease> {
    const lease = await this.accept();
    const { job_id, lease_id, fence } = lease;
    await this.call('POST', `/jobs/${job_id}/handoff`, { lease_id, fence });
    return lease;
  }

  async accept(): Promise<Lease> {
    const lease = await this.lease();
    const { job_id, lease_id, fence, content_hash } = lease;
    await this.call('POST', `/jobs/${job_id}/accept`, { lease_id, fence, content_hash });
    return lease;
  }

  report({ job_id, lease_id, fence }: Lease, type: string, more: object = {}) {
    const event = { event_id: randomUUID(), job_id, lease_id, fence, type, occurred_at: this.shop.now };
    return this.call('POST', '/events', { events: [{ ...event, ...more }] });
  }

  async spool(): Promise<Lease> {
    const lease = await this.handOff();
    await this.report(lease, 'spooled', {
      spooler_provider: 'windows',
      spooler_job_id: String(lease.fence + 40),
    });
    return lease;
  }

  async print(): Promise<Lease> {
    const lease = await this.spool();
    await this.report(lease, 'spooler_completed');
    return lease;
  }

  private call<T>(method: string, path: string, body: object) {
    return send<T>(`${this.url}/agent${path}`, this.credential, method, body);
  }
}

/** Resolves to `data`; undefined for an answer without a body. */
async function send<T>(
  url: string,
  credential: string,
  method: string,
  body: object,
): Promise<T | undefined> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as { data: T }).data;
}
