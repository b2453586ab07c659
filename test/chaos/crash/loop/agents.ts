import { randomUUID } from 'node:crypto';
import type { Leased } from '../../../kit/world.js';
import type { Load } from './clients.js';

export interface Computer {
  readonly credential: string;
  readonly sessionId: string;
}

/** Leases and prints until stopped. Sometimes abandons a job, or reports a spooler failure. */
export async function printJobs(load: Load, computer: Computer, stopped: () => boolean): Promise<void> {
  const agent = new Agent(load, computer);
  while (!stopped()) {
    const leased = await agent.lease();
    for (const lease of leased) await agent.print(lease);
    if (leased.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

class Agent {
  constructor(
    private readonly load: Load,
    private readonly computer: Computer,
  ) {}

  async lease(): Promise<readonly Leased[]> {
    const json = { session_id: this.computer.sessionId, wait_seconds: 0, max: 4 };
    const answered = await this.post('/leases', json);
    if (answered.status === 204) return [];
    if (answered.status !== 200) throw new Error(`no leases: ${answered.text}`);
    return answered.body.data!.leases as Leased[];
  }

  /** Runs the steps of a job; a lost lease ends it. */
  async print(lease: Leased): Promise<void> {
    const { job_id, lease_id, fence, content_hash } = lease;
    const { chance } = this.load;
    if (chance() < 0.03) return;
    if (!(await this.step(lease, 'accept', { lease_id, fence, content_hash }, 'JobAccepted'))) return;
    if (chance() < 0.03) return;
    if (chance() < 0.05) return this.report(lease, 'not_submitted', 'JobFailed');
    if (!(await this.step(lease, 'handoff', { lease_id, fence }, 'HandoffStarted'))) return;
    if (chance() < 0.03) return;
    await this.report(lease, 'spooled', 'JobSpooled', {
      spooler_provider: 'virtual',
      spooler_job_id: job_id,
    });
    if (chance() < 0.03) return;
    if (chance() < 0.05) return this.report(lease, 'spooler_vanished', 'ManualReviewOpened');
    await this.report(lease, 'spooler_completed', 'JobCompleted');
  }

  private async step(
    { job_id }: Leased,
    what: 'accept' | 'handoff',
    json: object,
    stored: string,
  ): Promise<boolean> {
    const answered = await this.post(`/jobs/${job_id}/${what}`, json);
    if (answered.status !== 200 && answered.status !== 409) throw new Error(`${what}: ${answered.text}`);
    if (answered.status === 200) this.load.world.acknowledge(`job-${job_id}`, stored);
    return answered.status === 200;
  }

  private async report({ job_id, lease_id, fence }: Leased, type: string, stored: string, more: object = {}) {
    const ids = { event_id: randomUUID(), job_id, lease_id, fence };
    const event = { ...ids, type, occurred_at: new Date().toISOString(), ...more };
    const answered = await this.post('/events', { events: [event] });
    if (answered.status !== 200) throw new Error(`${type}: ${answered.text}`);
    const [{ result } = { result: 'none' }] = answered.body.data!.results as { result: string }[];
    if (result === 'applied') this.load.world.acknowledge(`job-${job_id}`, stored);
    if (result === 'late') this.load.world.acknowledge(`job-${job_id}`, 'LateResultRecorded');
  }

  private post(path: string, json: object) {
    return this.load.gate.call('POST', `/agent${path}`, { as: this.computer.credential, json });
  }
}
