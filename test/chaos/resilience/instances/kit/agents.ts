import { createHash, randomUUID } from 'node:crypto';
import { TestAgent, onePrinter, type Leased } from '../../../../kit/world.js';
import type { Fleet } from './fleet.js';
import { pause, until } from '../../../../kit/polling.js';

const MAX_LEASES = 4;

export interface AgentPace {
  readonly pollSeconds: number;
  readonly heartbeatMs: number;
}

/** A lease that is lost with an instance is soon seen as lost. */
const OFTEN: AgentPace = { pollSeconds: 3, heartbeatMs: 1_000 };

/** Faults of an agent, in percent of its jobs. */
const VANISHES = 3;
const RELEASES = 3;
const NOT_SUBMITTED = 3;

const ENROLLED_MS = 600_000;

/** Tries again: a token is used once, and under load an enrolment that was answered 503 may be stored. */
export function enrolled(fleet: Fleet, accountId: string, printers?: readonly object[]) {
  let last: unknown;
  const enrol = () =>
    TestAgent.ready(fleet, accountId, printers).catch((error: unknown) => void (last = error));
  return until(() => `an Agent in ${accountId}: ${String(last)}`, ENROLLED_MS, enrol);
}

/**
 * An agent that survives every fault: prints all its leases concurrently and repeats each call until it is
 * answered.
 */
export class FieldAgent {
  /** `job:fence` of all documents given to its spooler. */
  readonly printed: string[] = [];
  /** Leases reported as lost or refused. */
  lost = 0;
  private readonly held = new Map<string, Leased>();
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly agent: TestAgent,
    readonly printerIds: readonly string[],
    private readonly chance: () => number,
    private readonly pace: AgentPace,
  ) {}

  static async join(
    fleet: Fleet,
    accountId: string,
    printers: number,
    chance: () => number,
    pace: AgentPace = OFTEN,
  ) {
    const reported = Array.from({ length: printers }, (_, n) => ({
      ...onePrinter,
      printer_key: `till-${n}`,
      name: `Till ${n}`,
      is_default: n === 0,
    }));
    const { agent, printerIds } = await enrolled(fleet, accountId, reported);
    return new FieldAgent(agent, printerIds, chance, pace);
  }

  get computerId(): string {
    return this.agent.computerId;
  }

  /** Rejects only on an unexpected answer. */
  start(): Promise<unknown> {
    this.stopped = false;
    this.running = Promise.all([this.work(), this.beat()]);
    return this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async work(): Promise<void> {
    const inProgress = new Set<Promise<void>>();
    while (!this.stopped) {
      for (const lease of await this.agent.lease(MAX_LEASES, this.pace.pollSeconds)) {
        const printing = this.print(lease).finally(() => inProgress.delete(printing));
        inProgress.add(printing);
      }
      if (inProgress.size >= MAX_LEASES) await Promise.race(inProgress);
    }
    await Promise.all(inProgress);
  }

  private async beat(): Promise<void> {
    while (!this.stopped) {
      const answered = await this.agent.heartbeat(...this.held.keys());
      if (answered.status !== 200) throw new Error(`heartbeat: ${answered.text}`);
      for (const { lease_id } of answered.body.data!.lost as { lease_id: string }[]) {
        if (this.held.delete(lease_id)) this.lost++;
      }
      await pause(this.pace.heartbeatMs);
    }
  }

  private async print(lease: Leased): Promise<void> {
    this.held.set(lease.lease_id, lease);
    try {
      await this.handle(lease, Math.floor(this.chance() * 100));
    } finally {
      this.held.delete(lease.lease_id);
    }
  }

  private async handle(lease: Leased, mood: number): Promise<void> {
    if (mood < VANISHES) return;
    if (mood < VANISHES + RELEASES) return void (await this.agent.release(lease));
    if (!(await this.hasContent(lease)) || !(await this.granted(() => this.agent.accept(lease)))) return;
    if (mood < VANISHES + RELEASES + NOT_SUBMITTED) {
      return this.report(lease, 'not_submitted', { failure_code: 'PAPER_JAM', failure_class: 'temporary' });
    }
    if (!(await this.granted(() => this.agent.handoff(lease)))) return;
    this.printed.push(`${lease.job_id}:${lease.fence}`);
    await this.report(lease, 'spooled', { spooler_provider: 'virtual', spooler_job_id: lease.job_id });
    await this.report(lease, 'spooler_completed');
  }

  /** False if the job was cancelled meanwhile. */
  private async hasContent({ job_id, content_hash }: Leased): Promise<boolean> {
    const answered = await this.agent.call('GET', `/jobs/${job_id}/content`);
    if (answered.status === 409 || answered.status === 404) return this.refused();
    if (answered.status !== 200) throw new Error(`content: ${answered.status} ${answered.text}`);
    if (createHash('sha256').update(answered.text).digest('hex') !== content_hash)
      throw new Error(`the content of ${job_id} is another's`);
    return true;
  }

  private async granted(ask: () => ReturnType<TestAgent['accept']>): Promise<boolean> {
    const { status, text } = await ask();
    if (status === 409) return this.refused();
    if (status !== 200) throw new Error(text);
    return true;
  }

  /** Repeats the report with the same id until it is accepted. */
  private async report(lease: Leased, type: string, more: object = {}): Promise<void> {
    const { result, code } = await this.agent.report(lease, type, { event_id: randomUUID(), ...more });
    if (result !== 'applied' && result !== 'duplicate')
      throw new Error(`${type} was ${result} ${code ?? ''}`);
  }

  private refused(): false {
    this.lost++;
    return false;
  }
}
