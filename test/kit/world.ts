import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/kernel/time.js';
import type { Call } from './http/client.js';
import type { TestService } from './service.js';

/** A service reachable over HTTP. */
export type Reachable = Pick<TestService, 'call' | 'operate'> & { readonly clock: Clock };

export const ALL_SCOPES = [
  'account:read',
  'computers:read',
  'computers:write',
  'printers:read',
  'jobs:read',
  'jobs:create',
  'jobs:cancel',
  'jobs:retry',
  'webhooks:read',
  'webhooks:write',
  'evidence:read',
];

export interface TestAccount {
  readonly accountId: string;
  readonly key: string;
}

/** Creates an account with a key of all scopes. */
export async function openAccount(service: Reachable, more: object = {}): Promise<TestAccount> {
  const account = await service.operate('POST', '/accounts', { name: 'Acme', ...more });
  const accountId = String(account.account_id);
  const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes: ALL_SCOPES });
  return { accountId, key: String(key.api_key) };
}

export interface Leased {
  readonly lease_id: string;
  readonly job_id: string;
  readonly fence: number;
  readonly content_hash: string;
  readonly printer_key: string;
  readonly options?: object;
}

export const onePrinter = {
  printer_key: 'till-1',
  name: 'Till 1',
  is_default: true,
  is_virtual: true,
  online: true,
  capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
};

/** Agent driven by the test: each method makes one call of docs/agent-protocol.md and resolves to its answer. */
export class TestAgent {
  sessionId = '';
  /** Whether calls carry `session_id`, which older agents omit. */
  namesSession = false;
  /** What it can do beyond the first protocol, from its next session on. */
  features: readonly string[] = [];

  private constructor(
    private readonly service: Reachable,
    readonly installationId: string,
    readonly credential: string,
    readonly computerId: string,
  ) {}

  static async enrol(
    service: Reachable,
    accountId: string,
    installationId: string = randomUUID(),
  ): Promise<TestAgent> {
    const enrollment = await service.operate('POST', `/accounts/${accountId}/enrollments`, {});
    const json = {
      enrollment_token: enrollment.enrollment_token,
      installation_id: installationId,
      hostname: 'FRONT-DESK',
    };
    const enrolled = await service.call('POST', '/managed/enroll', { json });
    if (enrolled.status !== 200) throw new Error(`enrolment failed: ${enrolled.text}`);
    const { device_credential, device_id } = enrolled.body.data as Record<string, string>;
    return new TestAgent(service, installationId, device_credential!, device_id!);
  }

  /** Enrols, opens a session and reports these printers. Resolves to the agent and the printer ids in order. */
  static async ready(
    service: Reachable,
    accountId: string,
    printers: readonly object[] = [onePrinter],
    features: readonly string[] = [],
  ) {
    const agent = await TestAgent.enrol(service, accountId);
    agent.features = features;
    await agent.start();
    const printerIds = await agent.inventory(printers);
    return { agent, printerIds, printerId: printerIds[0]! };
  }

  call(method: string, path: string, call: Call = {}) {
    return this.service.call(method, `/agent${path}`, { as: this.credential, ...call });
  }

  /** An agent of a cloned machine: same credential, no session yet. */
  clone(): TestAgent {
    const clone = new TestAgent(this.service, this.installationId, this.credential, this.computerId);
    clone.namesSession = this.namesSession;
    clone.features = this.features;
    return clone;
  }

  /** Opens a session. `startId` names the start, as the reference Agent does. */
  async start(journal: readonly object[] = [], startId?: string) {
    const json = {
      ...(startId && { start_id: startId }),
      installation_id: this.installationId,
      agent_version: '1.0.0',
      operating_system: 'Windows 11',
      hostname: 'FRONT-DESK',
      journal,
      ...(this.features.length > 0 && { features: this.features }),
    };
    const started = await this.call('POST', '/sessions', { json });
    if (started.status !== 200) throw new Error(`no session: ${started.text}`);
    this.sessionId = String(started.body.data!.session_id);
    return started.body.data as {
      session_id: string;
      reconcile: { job_id: string; fence: number; verdict: string }[];
    };
  }

  async inventory(printers: readonly object[]): Promise<string[]> {
    const answered = await this.call('PUT', '/inventory', { json: { printers } });
    if (answered.status !== 200) throw new Error(`inventory refused: ${answered.text}`);
    return (answered.body.data!.printers as { printer_id: string }[]).map((printer) => printer.printer_id);
  }

  heartbeat(...leases: readonly string[]) {
    const json = { session_id: this.sessionId, leases: leases.map((lease_id) => ({ lease_id })) };
    return this.call('POST', '/heartbeat', { json });
  }

  async lease(max = 4, wait_seconds = 0): Promise<Leased[]> {
    const answered = await this.call('POST', '/leases', {
      json: { session_id: this.sessionId, wait_seconds, max },
    });
    if (answered.status === 204) return [];
    if (answered.status !== 200) throw new Error(`no leases: ${answered.text}`);
    return answered.body.data!.leases as Leased[];
  }

  accept({ job_id, lease_id, fence, content_hash }: Leased) {
    return this.call('POST', `/jobs/${job_id}/accept`, {
      json: { lease_id, fence, content_hash, ...this.named },
    });
  }

  handoff({ job_id, lease_id, fence }: Leased) {
    return this.call('POST', `/jobs/${job_id}/handoff`, { json: { lease_id, fence, ...this.named } });
  }

  release({ lease_id }: Leased) {
    return this.call('POST', `/leases/${lease_id}/release`, { json: this.named });
  }

  /** Sends one report; resolves to its result. */
  async report({ job_id, lease_id, fence }: Leased, type: string, more: object = {}) {
    const occurred_at = this.service.clock.now();
    const event = { event_id: randomUUID(), job_id, lease_id, fence, type, occurred_at, ...more };
    const answered = await this.call('POST', '/events', { json: { events: [event], ...this.named } });
    if (answered.status !== 200) throw new Error(`report refused: ${answered.text}`);
    return (answered.body.data!.results as { event_id: string; result: string; code?: string }[])[0]!;
  }

  private get named(): { readonly session_id?: string } {
    return this.namesSession ? { session_id: this.sessionId } : {};
  }

  /** Prints the next job, from lease to completion. */
  async print(): Promise<Leased> {
    const [lease] = await this.lease(1);
    if (!lease) throw new Error('there is nothing to print');
    await this.accept(lease);
    await this.handoff(lease);
    await this.report(lease, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '1' });
    await this.report(lease, 'spooler_completed');
    return lease;
  }
}

/** Creates a text job through the Integration API. */
export function createJob(
  service: Reachable,
  key: string,
  printerId: string,
  more: object = {},
  idempotencyKey: string = randomUUID(),
) {
  const content = { type: 'text', encoding: 'utf8', data: 'Hello, printer' };
  return service.call('POST', '/svc-api-print-jobs', {
    as: key,
    headers: { 'idempotency-key': idempotencyKey },
    json: { printer_id: printerId, content, ...more },
  });
}
