import { KeyedMutex } from '../../../src/async/keyed-mutex.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import { Program } from '../engine/program.js';
import { EPOCH_MS } from '../engine/simulator.js';
import type { AgentHabits } from '../scenarios.js';
import type { World } from '../world.js';
import type { Computer } from '../computers.js';
import { entryOf, isUntouched, shareOf, type Held, type Lease, type Report } from './agent-disk.js';
import { AgentCalls, Ended, type Step } from './agent-calls.js';
import { Outbox } from './outbox.js';

const HEARTBEAT_MS: Milliseconds = 20_000;
const POLL_SECONDS = 25;
const PERMIT_MS: Milliseconds = 15_000;
const PAUSE_MS: Milliseconds = 2_000;
const COPY_RUNS_MS: Milliseconds = 20_000;
/** A call is asked again, and a mistake noticed, within this time. */
const LATER_MS: Milliseconds = 60_000;
/** The longest wait for an expiry. */
const LAST_MOMENT_MS: Milliseconds = 120_000;
/** After which it no longer asks the spooler. */
const WATCHED_MS: Milliseconds = 6 * 3_600_000;

/** This document is not ours any more. */
class Lost extends Error {}

/**
 * One run of an Agent, written from docs/agent-protocol.md: it journals before it acts, asks for a permit before it
 * touches the spooler, and reports until it is answered.
 */
export class Agent {
  readonly program: Program;
  private readonly lost = new Set<string>();
  /** One hand-off at a time for each printer. */
  private readonly turns = new KeyedMutex();
  private readonly outbox: Outbox;
  private readonly calls: AgentCalls;
  private readonly running = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly host: Computer,
    private readonly habits: AgentHabits,
    skew: Milliseconds,
  ) {
    this.program = new Program(world.sim, host.name, skew);
    this.calls = new AgentCalls(world, this.program, this.host.disk.credential);
    this.outbox = new Outbox(world, this.program, this.host.disk);
  }

  /** Resolves when it ends by itself: 'replaced' by another session, or 'revoked'. */
  async run(printers: readonly object[]): Promise<string> {
    try {
      await this.startSession();
      await this.calls.untilAnswered('agent putInventory', { json: { printers } });
      await Promise.race([this.heartbeats(), this.leases(), this.reports()]);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      this.program.crash();
      return error.message;
    }
    return 'stopped';
  }

  private async startSession(): Promise<void> {
    const held = [...this.host.disk.journal.values()];
    const { installationId: installation_id, seen } = this.host.disk;
    const json = {
      ...{ installation_id, agent_version: '1.0.0', operating_system: 'Simulated', hostname: 'TILL' },
      ...{ start_id: this.world.sim.uuid(), journal: held.map(entryOf), ...(seen !== undefined && { seen }) },
    };
    const data = await this.calls.startSession(this.host.disk.installationId, json);
    this.host.disk.saw(data.position);
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
    this.askAgain(held, 'startHandoff', 0);
    if (verdict === 'forget' || (verdict === 'abandon' && isBefore)) this.host.disk.journal.delete(document);
    else if (isBefore && verdict === 'continue') this.start(held, () => this.print(held));
    else this.start(held, () => this.settle(held));
  }

  private async heartbeats(): Promise<never> {
    for (;;) {
      await this.program.sleep(HEARTBEAT_MS);
      const leases = [...this.host.disk.journal.values()].map(({ lease }) => ({ lease_id: lease.lease_id }));
      const { status, data } = await this.calls.send('agent heartbeat', {
        json: { session_id: this.calls.sessionId, leases },
      });
      if (status !== 200) continue;
      for (const { lease_id } of data.lost as { lease_id: string }[]) this.lost.add(lease_id);
    }
  }

  private async leases(): Promise<never> {
    for (;;) {
      const { seen } = this.host.disk;
      const asked = this.world.sim.now;
      const json = {
        session_id: this.calls.sessionId,
        wait_seconds: POLL_SECONDS,
        max: 4,
        ...(seen && { seen }),
      };
      const { status, data } = await this.calls.send('agent leaseJobs', { json });
      if (status === 200) {
        this.host.disk.saw(data.position);
        for (const lease of data.leases as Lease[]) this.take(lease, asked);
      } else if (status !== 204 || this.world.sim.now - asked < PAUSE_MS) await this.calls.pause();
    }
  }

  private take(lease: Lease, asked: Milliseconds): void {
    if (this.host.disk.journal.has(lease.document_name)) return;
    const held = this.host.disk.record({ lease, phase: 'leased', takenBy: this.calls.sessionId });
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
    const held = this.host.disk.journal.get(document);
    if (held?.phase === 'handing_off') this.notSubmitted(held);
    else this.host.disk.journal.delete(document);
  }

  /** Accepts at once, and hands off in turn. */
  private async print(held: Held): Promise<void> {
    const chance = (share: number) => this.world.sim.random.chance(share);
    if (chance(this.habits.releases)) return this.release(held);
    const { rejects, rejectsAtOnce = 0 } = this.habits;
    if (rejectsAtOnce > 0 && chance(rejectsAtOnce)) return this.reject(held);
    const accepted = held.phase === 'leased' ? await this.accept(held) : held;
    if (chance(rejects)) return this.reject(accepted);
    await this.turns.run(held.lease.printer_key, () => this.handOff(accepted));
  }

  private reject(held: Held): void {
    this.end(held, 'rejected', { failure_class: 'permanent', failure_code: 'CANNOT_RENDER' });
  }

  private async handOff(accepted: Held): Promise<void> {
    await this.lastMoment(accepted.lease);
    const handing = await this.permitted(accepted);
    const isUnprintable = shareOf(accepted.lease.job_id) < this.habits.neverPrints;
    if (isUnprintable || this.world.sim.random.chance(this.habits.doesNotSubmit)) this.notSubmitted(handing);
    else await this.submit(handing);
  }

  private async accept(held: Held): Promise<Held> {
    await this.lastMoment(held.lease);
    await this.step(held, 'acceptJob', { content_hash: held.lease.content_hash });
    return this.host.disk.record({ ...held, phase: 'accepted' });
  }

  private async permitted(held: Held): Promise<Held> {
    const { epoch } = this.host.spooler;
    let asked = this.world.sim.now;
    const { copiedAsking = 0, copiedHolding = 0, diesAsking } = this.habits;
    // Its call stays on the way, and its next run begins at once.
    if (this.world.sim.random.chance(diesAsking))
      this.world.sim.after(0, '', () => this.program.isAlive && this.host.crashAgent(0));
    if (copiedAsking > 0 && this.world.sim.random.chance(copiedAsking))
      this.host.clone(0, COPY_RUNS_MS).disk.journal.delete(held.lease.document_name);
    await this.step(held, 'startHandoff', {});
    const handing = this.host.disk.record({ ...held, phase: 'handing_off', spoolerEpoch: epoch });
    if (copiedHolding > 0 && this.world.sim.random.chance(copiedHolding))
      this.host.standIn(this.world.sim.random.next() * PERMIT_MS, 3 * COPY_RUNS_MS);
    await this.program.sleep(this.world.sim.random.next() * this.habits.longestHandOffMs);
    while (this.world.sim.now - asked > PERMIT_MS) {
      asked = this.world.sim.now;
      await this.step(handing, 'startHandoff', {});
    }
    return handing;
  }

  private async submit(held: Held): Promise<void> {
    const { sim } = this.world;
    const { number } = this.host.spooler.submit(held.lease.document_name);
    const isMistaken = sim.random.chance(this.habits.mistakes);
    if (isMistaken) {
      this.outbox.add(held, 'not_submitted', { failure_class: 'temporary' });
      await this.program.sleep(sim.random.next() * LATER_MS);
    }
    await this.program.sleep(sim.random.next() * PAUSE_MS);
    this.spooled({ ...held, spoolerJobId: String(number) }, !isMistaken || sim.random.chance(0.5));
  }

  private spooled(held: Held, isReported = true): void {
    const handedOff = this.host.disk.record({ ...held, phase: 'handed_off' });
    if (isReported) this.outbox.add(handedOff, 'spooled', {});
    void this.watch(handedOff);
  }

  /** What became of a document that is, or may be, at the spooler. */
  private async settle(held: Held): Promise<void> {
    const found = this.host.spooler.find(held.lease.document_name);
    const hasRestarted = held.spoolerEpoch !== undefined && held.spoolerEpoch !== this.host.spooler.epoch;
    if (found || held.phase === 'handed_off')
      return this.spooled({ ...held, ...(found && { spoolerJobId: String(found.number) }) });
    if (!hasRestarted) return this.notSubmitted(held);
    this.end(held, 'spooler_vanished', { failure_code: 'SPOOLER_RESTARTED', failure_class: 'ambiguous' });
  }

  private async watch(held: Held): Promise<void> {
    const until = this.world.sim.now + WATCHED_MS;
    const { epoch } = this.host.spooler;
    for (; this.world.sim.now < until; await this.program.sleep(PAUSE_MS)) {
      const ended = this.host.spooler.endOf(held.lease.document_name, epoch);
      if (ended) return this.end(held, ...ended);
    }
    this.host.disk.journal.delete(held.lease.document_name);
  }

  private async release({ lease }: Held): Promise<void> {
    await this.lastMoment(lease);
    const params = { lease_id: lease.lease_id };
    await this.calls.untilAnswered('agent releaseLease', {
      params,
      json: { session_id: this.calls.sessionId },
    });
    this.host.disk.journal.delete(lease.document_name);
  }

  /** @throws Lost when the service refuses it */
  private async step(held: Held, operation: Step, more: object): Promise<void> {
    for (; ; await this.calls.pause()) {
      if (this.lost.has(held.lease.lease_id)) throw new Lost();
      const { status, code, data } = await this.calls.about(held, operation, more);
      if (code === 'LEASE_LOST' && held.takenBy === this.calls.sessionId)
        this.world.history.leaseLost(held.lease, this.host.disk.installationId);
      if (status === 200) {
        this.host.disk.saw(data.position);
        this.askAgain(held, operation, LATER_MS, more);
        return;
      }
      if (status !== 0 && status < 500) throw new Lost();
    }
  }

  /** Whatever becomes of the attempt meanwhile. */
  private askAgain(held: Held, operation: Step, withinMs: Milliseconds, more: object = {}): void {
    const { random } = this.world.sim;
    if (!random.chance(this.habits.asksAgain)) return;
    const asked = this.program
      .sleep(random.next() * withinMs)
      .then(() => this.calls.about(held, operation, more));
    asked.catch((error: unknown) => error instanceof Ended || this.world.sim.fail(error as Error));
  }

  /** Sometimes waits until the expiry of a job that expires soon. */
  private async lastMoment({ expires_at }: Lease): Promise<void> {
    const { random, now } = this.world.sim;
    const left = Date.parse(expires_at) - EPOCH_MS - now;
    if (left > LAST_MOMENT_MS || !random.chance(this.habits.lastMoment)) return;
    await this.program.sleep(left + (2 * random.next() - 1) * 1_000);
  }

  private notSubmitted(held: Held): void {
    this.end(held, 'not_submitted', { failure_class: 'temporary' });
  }

  /** The report is in the outbox before the journal forgets the document. */
  private end(held: Held, type: string, details: object): void {
    this.outbox.add(held, type, details);
    this.host.disk.journal.delete(held.lease.document_name);
  }

  private reports(): Promise<never> {
    const send = (events: readonly Report[]) => {
      const { sessionId: session_id } = this.calls;
      for (const { event_id } of events) this.world.history.reports.get(event_id)!.sessions.add(session_id);
      return this.calls.send('agent reportEvents', { json: { session_id, events } });
    };
    return this.outbox.run(send, this.calls.pause);
  }
}
