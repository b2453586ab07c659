import { randomUUID } from 'node:crypto';
import { HttpCaller, Refused } from './http-caller.js';
import {
  FEATURES,
  type AddedPrinterList,
  type AgentHealth,
  type AgentFacts,
  type HeartbeatAnswer,
  type InventoryAnswer,
  type InventoryPrinter,
  type JournalEntry,
  type Lease,
  type LeaseAnswer,
  type Permit,
  type RenewedCredential,
  type Report,
  type ReportResult,
  type Session,
} from './protocol.js';

const POLL_SLACK_MS = 15_000;

interface LeaseRequest {
  readonly waitSeconds: number;
  readonly max: number;
  readonly seen: string | undefined;
  /** Keys of the printers that get nothing now; undefined for services that do not know them. */
  readonly busy: string[] | undefined;
}

/** Client of the agent protocol, one method per call. Each retries until it is answered, refused or aborted. */
export class ServiceClient {
  /** Older services know no features and refuse their fields; a service may be downgraded within a session. */
  private knowsFeatures = true;

  constructor(
    private readonly http: HttpCaller,
    private readonly features: readonly string[] = FEATURES,
  ) {}

  /** `seen`: the highest position received by this agent. All repeats of the call name the same start. */
  async openSession(
    facts: AgentFacts,
    journal: JournalEntry[],
    seen: string | undefined,
    signal: AbortSignal,
  ): Promise<Session> {
    const start = { start_id: randomUUID(), ...facts, journal, seen };
    try {
      const session = await this.post<Session>('/sessions', { ...start, features: this.features }, signal);
      this.knowsFeatures = true;
      return session;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) throw error;
      const session = await this.post<Session>('/sessions', start, signal);
      this.knowsFeatures = false;
      return session;
    }
  }

  heartbeat(
    sessionId: string,
    leaseIds: string[],
    health: AgentHealth | undefined,
    busy_printers: string[] | undefined,
    signal: AbortSignal,
  ): Promise<HeartbeatAnswer> {
    const leases = leaseIds.map((lease_id) => ({ lease_id }));
    return this.post('/heartbeat', { session_id: sessionId, leases, health, busy_printers }, signal);
  }

  /** A repeat of a lost answer gives another credential. */
  renewCredential(signal: AbortSignal): Promise<RenewedCredential> {
    return this.post('/credential', {}, signal);
  }

  async addedPrinters(signal: AbortSignal): Promise<AddedPrinterList> {
    const list = await this.http.data<AddedPrinterList>({ method: 'GET', path: '/printers', signal });
    if (list === undefined) throw new Refused(204, 'EMPTY_ANSWER', '/printers answered without data');
    return list;
  }

  async putInventory(printers: InventoryPrinter[], signal: AbortSignal): Promise<InventoryAnswer> {
    try {
      return await this.sendInventory(printers, signal);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400 || !this.knowsFeatures) throw error;
      const answer = await this.sendInventory(printers.map(withoutOptions), signal);
      this.knowsFeatures = false;
      return answer;
    }
  }

  private async sendInventory(printers: InventoryPrinter[], signal: AbortSignal): Promise<InventoryAnswer> {
    const answer = await this.http.data<InventoryAnswer>({
      method: 'PUT',
      path: '/inventory',
      body: { printers: this.knowsFeatures ? printers : printers.map(withoutOptions) },
      signal,
    });
    return answer ?? { printers: [] };
  }

  /**
   * Long-polls for up to `waitSeconds`; resolves to an empty list if there is no work. `seen` as for `openSession`,
   * because the service's store may be rolled back within a valid session.
   */
  async lease(
    sessionId: string,
    { waitSeconds, max, seen, busy }: LeaseRequest,
    signal: AbortSignal,
  ): Promise<LeaseAnswer> {
    const answer = await this.http.data<LeaseAnswer>({
      method: 'POST',
      path: '/leases',
      body: { session_id: sessionId, wait_seconds: waitSeconds, max, seen, busy_printers: busy },
      signal,
      timeoutMs: waitSeconds * 1000 + POLL_SLACK_MS,
    });
    return answer ?? { leases: [] };
  }

  content(lease: Lease, signal: AbortSignal): Promise<Buffer> {
    const { traceparent } = lease;
    return this.http.bytes({ method: 'GET', path: jobPath(lease, 'content'), signal, traceparent });
  }

  accept(session_id: string, lease: Lease, signal: AbortSignal): Promise<unknown> {
    const { lease_id, fence, content_hash, traceparent } = lease;
    const body = { session_id, lease_id, fence, content_hash };
    return this.post(jobPath(lease, 'accept'), body, signal, traceparent);
  }

  handoff(session_id: string, lease: Lease, signal: AbortSignal): Promise<Permit> {
    const { lease_id, fence, traceparent } = lease;
    return this.post(jobPath(lease, 'handoff'), { session_id, lease_id, fence }, signal, traceparent);
  }

  /** Of one trace, or of none. Reports whose receipts a service that was downgraded refuses are sent again without them. */
  async report(session_id: string, events: Report[], signal: AbortSignal): Promise<ReportResult[]> {
    if (!this.knowsFeatures) return this.sendReports(session_id, events.map(withoutReceipt), signal);
    const results = await this.sendReports(session_id, events, signal);
    const refused = events.filter((event) => {
      const result = results.find(({ event_id }) => event_id === event.event_id);
      return (event.applied ?? event.ignored) && result?.code === 'INVALID_REQUEST';
    });
    if (refused.length === 0) return results;
    const again = await this.sendReports(session_id, refused.map(withoutReceipt), signal);
    if (again.some(({ result }) => result !== 'rejected')) this.knowsFeatures = false;
    return results.map((result) => again.find(({ event_id }) => event_id === result.event_id) ?? result);
  }

  private async sendReports(
    session_id: string,
    reports: Report[],
    signal: AbortSignal,
  ): Promise<ReportResult[]> {
    const events = reports.map(({ traceparent: _, ...event }) => event);
    const body = { session_id, events };
    const traceparent = reports[0]?.traceparent;
    return (await this.post<{ results: ReportResult[] }>('/events', body, signal, traceparent)).results;
  }

  async release(session_id: string, { lease_id, traceparent }: Lease, signal: AbortSignal): Promise<void> {
    await this.post(`/leases/${encodeURIComponent(lease_id)}/release`, { session_id }, signal, traceparent);
  }

  private async post<T>(path: string, body: unknown, signal: AbortSignal, traceparent?: string): Promise<T> {
    const data = await this.http.data<T>({ method: 'POST', path, body, signal, traceparent });
    if (data === undefined) throw new Refused(204, 'EMPTY_ANSWER', `${path} answered without data`);
    return data;
  }
}

function jobPath(lease: Lease, call: 'content' | 'accept' | 'handoff'): string {
  return `/jobs/${encodeURIComponent(lease.job_id)}/${call}`;
}

function withoutOptions({
  capabilities,
  device_identity: _,
  ...printer
}: InventoryPrinter): InventoryPrinter {
  const { content_types, color, duplex, papers } = capabilities;
  return { ...printer, capabilities: { content_types, color, duplex, papers } };
}

function withoutReceipt({ applied: _, ignored: __, ...report }: Report): Report {
  return report;
}
