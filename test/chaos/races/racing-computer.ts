import type { Answered } from '../../kit/http/client.js';
import type { Leased, TestAgent } from '../../kit/world.js';
import type { Random } from '../../kit/random.js';

type Phase = 'leased' | 'accepted' | 'handed_off' | 'spooled';

export interface Held {
  readonly lease: Leased;
  phase: Phase;
}

/** Probabilities of an agent's next step with a job; the remainder is the normal step. */
const MISHAPS: Readonly<Record<Phase, readonly (readonly [number, string])[]>> = {
  leased: [
    [0.06, 'forget'],
    [0.06, 'release'],
    [0.03, 'not_submitted'],
    [0.03, 'rejected'],
    [0.08, 'wait'],
  ],
  accepted: [
    [0.07, 'forget'],
    [0.04, 'not_submitted'],
    [0.02, 'rejected'],
    [0.06, 'wait'],
  ],
  handed_off: [
    [0.05, 'forget'],
    [0.04, 'not_submitted'],
    [0.03, 'spooler_vanished'],
    [0.05, 'spooler_completed'],
    [0.05, 'wait'],
  ],
  spooled: [
    [0.05, 'forget'],
    [0.03, 'spooler_failed'],
    [0.03, 'spooler_vanished'],
    [0.03, 'spooler_cancelled'],
    [0.05, 'wait'],
  ],
};

const JOURNALLED = {
  leased: 'leased',
  accepted: 'accepted',
  handed_off: 'handing_off',
  spooled: 'handed_off',
};

/** State shared by the polls of one computer: its credential, its newest session and its jobs. */
export class RacingComputer {
  private held: Held[] = [];
  /** Forgotten, lost or reported jobs, about which the agent may still report too late. */
  private readonly old: Leased[] = [];

  constructor(
    readonly agent: TestAgent,
    readonly printerIds: readonly string[],
    /** A client's cancel that races with an accept. */
    private readonly cancel: (jobId: string) => Promise<Answered>,
  ) {}

  /** One action of one poll. */
  async step(random: Random): Promise<void> {
    if (random.chance(0.01)) return this.restart(random.chance(0.5));
    if (random.chance(0.05)) return this.beat();
    if (random.chance(0.03) && this.old.length > 0) return this.tellLate(random);
    const [held] = this.held.splice(random.below(Math.max(1, this.held.length)), 1);
    if (!held) return this.poll(random);
    await this.goOn(held, random);
  }

  private async poll(random: Random): Promise<void> {
    const json = { session_id: this.agent.sessionId, wait_seconds: 0, max: 1 + random.below(4) };
    const { status, body } = await this.agent.call('POST', '/leases', { json });
    if (status === 409) return this.restart(true);
    if (status !== 200) return;
    for (const lease of body.data!.leases as Leased[]) this.held.push({ lease, phase: 'leased' });
  }

  private async goOn(held: Held, random: Random): Promise<void> {
    let roll = random.next();
    const mishap = MISHAPS[held.phase].find(([chance]) => (roll -= chance) < 0)?.[1];
    if (mishap === 'wait') this.held.push(held);
    else if (mishap === 'forget') this.old.push(held.lease);
    else if (mishap === 'release') await this.agent.release(held.lease);
    else if (mishap) await this.report(held, mishap);
    else await this.advance(held, random);
  }

  private async advance(held: Held, random: Random): Promise<void> {
    const { agent } = this;
    if (held.phase === 'leased') {
      const accept = () => agent.accept(held.lease);
      const others = random.chance(0.1) ? [this.cancel(held.lease.job_id)] : [];
      if (random.chance(0.1)) others.push(accept());
      const [accepted] = await Promise.all([accept(), ...others]);
      this.keep(held, accepted.status === 200 ? 'accepted' : undefined);
    } else if (held.phase === 'accepted') {
      const times = random.chance(0.2) ? 3 : 1;
      const permits = await Promise.all(Array.from({ length: times }, () => agent.handoff(held.lease)));
      this.keep(held, permits[0]!.status === 200 ? 'handed_off' : undefined);
    } else {
      await this.report(held, held.phase === 'handed_off' ? 'spooled' : 'spooler_completed');
    }
  }

  private async report(held: Held, type: string): Promise<void> {
    const { result } = await this.agent.report(held.lease, type);
    this.keep(held, type === 'spooled' && result === 'applied' ? 'spooled' : undefined);
  }

  private keep(held: Held, phase: Phase | undefined): void {
    if (!phase) this.old.push(held.lease);
    else this.held.push(Object.assign(held, { phase }));
  }

  private async beat(): Promise<void> {
    const { status, body } = await this.agent.heartbeat(...this.held.map(({ lease }) => lease.lease_id));
    if (status === 409) return this.restart(true);
    const lost = new Set((body.data!.lost as { lease_id: string }[]).map(({ lease_id }) => lease_id));
    this.drop(({ lease }) => lost.has(lease.lease_id));
  }

  /** A crash: the agent restarts with its journal, or without any. */
  private async restart(withJournal: boolean): Promise<void> {
    if (!withJournal) this.drop(() => true);
    const journal = this.held.map(({ lease: { job_id, lease_id, fence }, phase }) => ({
      job_id,
      lease_id,
      fence,
      phase: JOURNALLED[phase],
    }));
    const { reconcile } = await this.agent.start(journal);
    const continued = new Set(
      reconcile
        .filter(({ verdict }) => verdict === 'continue')
        .map(({ job_id, fence }) => `${job_id} ${fence}`),
    );
    const touched: readonly Phase[] = ['handed_off', 'spooled'];
    this.drop(
      ({ lease, phase }) => !touched.includes(phase) && !continued.has(`${lease.job_id} ${lease.fence}`),
    );
  }

  private async tellLate(random: Random): Promise<void> {
    await this.agent.report(
      random.of(this.old),
      random.of(['spooler_completed', 'spooler_vanished', 'spooled']),
    );
  }

  private drop(gone: (held: Held) => boolean): void {
    this.old.push(...this.held.filter(gone).map(({ lease }) => lease));
    this.held = this.held.filter((held) => !gone(held));
  }
}
