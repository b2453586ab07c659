import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Answered, Call } from '../api.js';
import { Program, ProgramClock } from '../engine/program.js';
import type { AgentHabits } from '../scenarios.js';
import type { World } from '../world.js';
import { isUntouched, reportOf, shareOf, type AgentDisk, type Held, type Lease } from './agent-disk.js';
import { PrinterTurns } from './printer-turns.js';
import type { Spooler } from './spooler.js';

const HEARTBEAT_MS: Milliseconds = 20_000;
const POLL_SECONDS = 25;
const PERMIT_MS: Milliseconds = 15_000;
const PAUSE_MS: Milliseconds = 2_000;
/** After which it no longer asks the spooler. */
const WATCHED_MS: Milliseconds = 6 * 3_600_000;

class Ended extends Error {}
/** This document is not ours any more. */
class Lost extends Error {}

/**
 * One run of an Agent, written from docs/agent-protocol.md: it journals before it acts, asks for a permit before it
 * touches the spooler, and reports until it is answered.
 */
export class Agent {
  readonly program: Program;
  private sessionId = '';
  private readonly lost = new Set<string>();
  private readonly turns = new PrinterTurns();
  private readonly running = new Set<string>();

  constructor(
    private readonly world: World,
    name: string,
    readonly disk: AgentDisk,
    readonly spooler: Spooler,
    private readonly habits: AgentHabits,
    skew: Milliseconds,
  ) {
    this.program = new Program(world.sim, name, skew);
  }

  /** Resolves when it ends by itself: 'replaced' by another session, or 'revoked'. */
  async run(printers: readonly object[]): Promise<string> {
    try {
      await this.startSession();
      await this.untilAnswered('agent putInventory', { json: { printers } });
      await Promise.race([this.heartbeats(), this.leases(), this.reports()]);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      this.program.crash();
      return error.message;
    }
    return 'stopped';
  }

  private async startSession(): Promise<void> {
    const held = [...this.disk.journal.values()];
    const journal = held.map(({ lease, phase }) => ({
      ...{ job_id: lease.job_id, lease_id: lease.lease_id, fence: lease.fence, phase },
    }));
    const { installationId: installation_id, seen } = this.disk;
    const json = {
      ...{ installation_id, agent_version: '1.0.0', operating_system: 'Simulated', hostname: 'TILL' },
      ...{ start_id: this.world.sim.uuid(), journal, ...(seen !== undefined && { seen }) },
    };
    const { data } = await this.untilAnswered('agent startSession', { json });
    this.sessionId = String(data.session_id);
    this.disk.saw(data.position);
    const verdicts = data.reconcile as { job_id: string; fence: number; verdict: string }[];
    for (const one of held) {
      const { job_id, fence } = one.lease;
      const found = verdicts.find((each) => each.job_id === job_id && each.fence === fence);
      this.resume(one, found?.verdict ?? 'abandon');
    }
  }

  private resume(held: Held, verdict: string): void {
    const { document_name: document } = held.lease;
    const isBefore = isUntouched(held);
    if (verdict === 'forget' || (verdict === 'abandon' && isBefore)) this.disk.journal.delete(document);
    else if (isBefore && verdict === 'continue') this.start(held, () => this.print(held));
    else this.start(held, () => this.settle(held));
  }

  private async heartbeats(): Promise<never> {
    for (;;) {
      await this.program.sleep(HEARTBEAT_MS);
      const leases = [...this.disk.journal.values()].map(({ lease }) => ({ lease_id: lease.lease_id }));
      const { status, data } = await this.call('agent heartbeat', {
        json: { session_id: this.sessionId, leases },
      });
      if (status !== 200) continue;
      for (const { lease_id } of data.lost as { lease_id: string }[]) this.lost.add(lease_id);
    }
  }

  private async leases(): Promise<never> {
    for (;;) {
      const { seen } = this.disk;
      const asked = this.world.sim.now;
      const json = { session_id: this.sessionId, wait_seconds: POLL_SECONDS, max: 4, ...(seen && { seen }) };
      const { status, data } = await this.call('agent leaseJobs', { json });
      if (status === 200) {
        this.disk.saw(data.position);
        for (const lease of data.leases as Lease[]) this.take(lease, asked);
      } else if (status !== 204 || this.world.sim.now - asked < PAUSE_MS) await this.pause();
    }
  }

  private take(lease: Lease, asked: Milliseconds): void {
    if (this.disk.journal.has(lease.document_name)) return;
    const held = this.record({ lease, phase: 'leased', takenBy: this.sessionId });
    this.world.history.leased(lease, asked);
    this.start(held, () => this.print(held));
  }

  private start(held: Held, work: () => Promise<void>): void {
    const { document_name: document } = held.lease;
    if (this.running.has(document)) return;
    this.running.add(document);
    work()
      .catch((error: unknown) => {
        if (!(error instanceof Lost)) throw error;
        this.giveUp(document);
      })
      .catch((error: unknown) => {
        if (!(error instanceof Ended)) this.world.sim.fail(error as Error);
      })
      .finally(() => this.running.delete(document));
  }

  /** Nothing reached the spooler; only a permit has to be given back. */
  private giveUp(document: string): void {
    const held = this.disk.journal.get(document);
    if (held?.phase === 'handing_off') this.notSubmitted(held);
    else this.disk.journal.delete(document);
  }

  /** Accepts at once, and hands off in turn. */
  private async print(held: Held): Promise<void> {
    const chance = (share: number) => this.world.sim.random.chance(share);
    if (chance(this.habits.releases)) return this.release(held);
    const accepted = held.phase === 'leased' ? await this.accept(held) : held;
    if (chance(this.habits.rejects))
      return this.end(accepted, 'rejected', { failure_class: 'permanent', failure_code: 'CANNOT_RENDER' });
    const leave = await this.turns.take(held.lease.printer_key);
    try {
      const handing = await this.permitted(accepted);
      const isUnprintable = shareOf(held.lease.job_id) < this.habits.neverPrints;
      if (isUnprintable || chance(this.habits.doesNotSubmit)) return this.notSubmitted(handing);
      await this.submit(handing);
    } finally {
      leave();
    }
  }

  private async accept(held: Held): Promise<Held> {
    await this.step(held, 'acceptJob', { content_hash: held.lease.content_hash });
    return this.record({ ...held, phase: 'accepted' });
  }

  private async permitted(held: Held): Promise<Held> {
    const { epoch } = this.spooler;
    let asked = this.world.sim.now;
    await this.step(held, 'startHandoff', {});
    const handing = this.record({ ...held, phase: 'handing_off', spoolerEpoch: epoch });
    await this.program.sleep(this.world.sim.random.next() * this.habits.longestHandOffMs);
    while (this.world.sim.now - asked > PERMIT_MS) {
      asked = this.world.sim.now;
      await this.step(handing, 'startHandoff', {});
    }
    return handing;
  }

  private async submit(held: Held): Promise<void> {
    const { number } = this.spooler.submit(held.lease.document_name);
    await this.program.sleep(this.world.sim.random.next() * PAUSE_MS);
    this.spooled({ ...held, spoolerJobId: String(number) });
  }

  private spooled(held: Held): void {
    const handedOff = this.record({ ...held, phase: 'handed_off' });
    this.report(handedOff, 'spooled', {});
    void this.watch(handedOff);
  }

  /** What became of a document that is, or may be, at the spooler. */
  private async settle(held: Held): Promise<void> {
    const found = this.spooler.find(held.lease.document_name);
    const hasRestarted = held.spoolerEpoch !== undefined && held.spoolerEpoch !== this.spooler.epoch;
    if (found || held.phase === 'handed_off')
      return this.spooled({ ...held, ...(found && { spoolerJobId: String(found.number) }) });
    if (!hasRestarted) return this.notSubmitted(held);
    this.end(held, 'spooler_vanished', { failure_code: 'SPOOLER_RESTARTED', failure_class: 'ambiguous' });
  }

  private async watch(held: Held): Promise<void> {
    const until = this.world.sim.now + WATCHED_MS;
    const { epoch } = this.spooler;
    for (; this.world.sim.now < until; await this.program.sleep(PAUSE_MS)) {
      const job = this.spooler.find(held.lease.document_name);
      if (!job) {
        const failure_code = epoch === this.spooler.epoch ? 'SPOOLER_VANISHED' : 'SPOOLER_RESTARTED';
        return this.end(held, 'spooler_vanished', { failure_code, failure_class: 'ambiguous' });
      }
      if (this.world.sim.now < job.endsAt) continue;
      if (job.end === 'completed') return this.end(held, 'spooler_completed', {});
      const isLocal = job.end === 'cancelled' && !job.hasStarted;
      if (isLocal) return this.end(held, 'spooler_cancelled', { failure_class: 'permanent' });
      return this.end(held, 'spooler_failed', {
        failure_class: 'ambiguous',
        failure_code: 'SPOOLER_ABORTED',
      });
    }
    this.disk.journal.delete(held.lease.document_name);
  }

  private async release({ lease }: Held): Promise<void> {
    const params = { lease_id: lease.lease_id };
    await this.untilAnswered('agent releaseLease', { params, json: { session_id: this.sessionId } });
    this.disk.journal.delete(lease.document_name);
  }

  /** @throws Lost when the service refuses it */
  private async step(held: Held, operation: 'acceptJob' | 'startHandoff', more: object): Promise<void> {
    const { lease_id, fence, job_id } = held.lease;
    const json = { lease_id, fence, session_id: this.sessionId, ...more };
    for (; ; await this.pause()) {
      if (this.lost.has(lease_id)) throw new Lost();
      const call = this.world.history.begin(operation, held.lease);
      const { status, code, data } = await this.call(`agent ${operation}`, { params: { job_id }, json });
      call.end(status);
      if (code === 'LEASE_LOST' && held.takenBy === this.sessionId) this.world.history.leaseLost(held.lease);
      if (status === 200) {
        this.disk.saw(data.position);
        return;
      }
      if (status !== 0 && status < 500) throw new Lost();
    }
  }

  private report(held: Held, type: string, details: object): void {
    const event_id = this.world.sim.uuid();
    const occurred_at = new ProgramClock(this.program).now();
    this.disk.outbox.set(event_id, { event_id, occurred_at, ...reportOf(held, type, details) });
    this.world.history.reports.set(event_id, type);
  }

  private notSubmitted(held: Held): void {
    this.end(held, 'not_submitted', { failure_class: 'temporary' });
  }

  /** The report is in the outbox before the journal forgets the document. */
  private end(held: Held, type: string, details: object): void {
    this.report(held, type, details);
    this.disk.journal.delete(held.lease.document_name);
  }

  private async reports(): Promise<never> {
    for (;;) {
      const events = [...this.disk.outbox.values()].slice(0, 20);
      if (events.length === 0) {
        await this.program.sleep(PAUSE_MS / 2);
        continue;
      }
      const json = { session_id: this.sessionId, events };
      const { status, data } = await this.call('agent reportEvents', { json });
      if (status === 200) {
        for (const { event_id, ...result } of data.results as { event_id: string }[]) {
          this.world.history.reported(this.disk.outbox.get(event_id)!, result);
          this.disk.outbox.delete(event_id);
        }
      } else await this.pause();
    }
  }

  private record(held: Held): Held {
    this.disk.journal.set(held.lease.document_name, held);
    return held;
  }

  private async untilAnswered(operation: string, call: Omit<Call, 'as'>): Promise<Answered> {
    for (; ; await this.pause()) {
      const answered = await this.call(operation, call);
      if (answered.status !== 0 && answered.status < 500) return answered;
    }
  }

  /** @throws Ended */
  private async call(operation: string, call: Omit<Call, 'as'>): Promise<Answered> {
    const answered = await this.world.request(this.program, operation, { ...call, as: this.disk.credential });
    if (answered.status === 401) throw new Ended('revoked');
    if (answered.code === 'SESSION_REPLACED') throw new Ended('replaced');
    if (answered.code === 'SESSION_NOT_FOUND') throw new Ended('unknown session');
    return answered;
  }

  private pause = () => this.program.sleep(PAUSE_MS * (0.5 + this.world.sim.random.next()));
}
