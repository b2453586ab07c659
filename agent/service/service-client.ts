import { HttpCaller, Refused } from './http-caller.js';
import type {
  AgentFacts,
  HeartbeatAnswer,
  InventoryAnswer,
  InventoryPrinter,
  JournalEntry,
  Lease,
  Report,
  ReportResult,
  Session,
} from './protocol.js';

const POLL_SLACK_MS = 15_000;

/** The agent's side of the protocol, one method a call. Each repeats itself until answered, refused or aborted. */
export class ServiceClient {
  constructor(private readonly http: HttpCaller) {}

  openSession(facts: AgentFacts, journal: JournalEntry[], signal: AbortSignal): Promise<Session> {
    return this.post('/sessions', { ...facts, journal }, signal);
  }

  heartbeat(sessionId: string, leaseIds: string[], signal: AbortSignal): Promise<HeartbeatAnswer> {
    const leases = leaseIds.map((lease_id) => ({ lease_id }));
    return this.post('/heartbeat', { session_id: sessionId, leases }, signal);
  }

  async putInventory(printers: InventoryPrinter[], signal: AbortSignal): Promise<InventoryAnswer> {
    const answer = await this.http.data<InventoryAnswer>({
      method: 'PUT',
      path: '/inventory',
      body: { printers },
      signal,
    });
    return answer ?? { printers: [] };
  }

  /** Waits at the service up to `waitSeconds`; an empty list if there was nothing to do. */
  async lease(sessionId: string, waitSeconds: number, max: number, signal: AbortSignal): Promise<Lease[]> {
    const answer = await this.http.data<{ leases: Lease[] }>({
      method: 'POST',
      path: '/leases',
      body: { session_id: sessionId, wait_seconds: waitSeconds, max },
      signal,
      timeoutMs: waitSeconds * 1000 + POLL_SLACK_MS,
    });
    return answer?.leases ?? [];
  }

  async content(jobId: string, signal: AbortSignal): Promise<Buffer> {
    const path = `/jobs/${encodeURIComponent(jobId)}/content`;
    return (await this.http.call({ method: 'GET', path, signal })).body;
  }

  accept(lease: Lease, signal: AbortSignal): Promise<unknown> {
    const { lease_id, fence, content_hash } = lease;
    return this.post(jobPath(lease, 'accept'), { lease_id, fence, content_hash }, signal);
  }

  /** Seconds from the question for which the spooler may be touched. */
  async handoff(lease: Lease, signal: AbortSignal): Promise<number> {
    const { lease_id, fence } = lease;
    const answer = await this.post<{ permit_seconds: number }>(
      jobPath(lease, 'handoff'),
      { lease_id, fence },
      signal,
    );
    return answer.permit_seconds;
  }

  async report(events: Report[], signal: AbortSignal): Promise<ReportResult[]> {
    return (await this.post<{ results: ReportResult[] }>('/events', { events }, signal)).results;
  }

  async release(leaseId: string, signal: AbortSignal): Promise<void> {
    await this.post(`/leases/${encodeURIComponent(leaseId)}/release`, {}, signal);
  }

  private async post<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
    const data = await this.http.data<T>({ method: 'POST', path, body, signal });
    if (data === undefined) throw new Refused(204, 'EMPTY_ANSWER', `${path} answered without data`);
    return data;
  }
}

function jobPath(lease: Lease, call: 'accept' | 'handoff'): string {
  return `/jobs/${encodeURIComponent(lease.job_id)}/${call}`;
}
