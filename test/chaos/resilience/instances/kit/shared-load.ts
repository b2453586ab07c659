import { chanceFrom } from '../../../../kit/random.js';
import { TestPartner } from '../../../../kit/partner.js';
import { openAccount } from '../../../../kit/world.js';
import { type AgentPace, FieldAgent } from './agents.js';
import { atOnce } from './at-once.js';
import { createJobs, type Journal } from './clients.js';
import type { StoredEvent } from '../../../../kit/stored-events.js';
import { EventLog } from './event-log.js';
import type { Fleet } from './fleet.js';
import { printAndPoll } from './partner-client.js';
import {
  expectOneJobEach,
  expectOrder,
  expectPrintedOnce,
  expectSoundJobs,
  expectTimersFiredOnce,
  expectViewsEqualReplay,
  expectWithinLimits,
  unfinished,
} from './proofs.js';
import { Subscribers } from './subscribers.js';
import { pause } from '../../../../kit/polling.js';

/** Short timeouts, so that work lost with an instance is soon repeated. */
export const SHORT_TIMES = {
  LEASE_SECONDS: '5',
  ACCEPT_GRACE_SECONDS: '20',
  JOB_RETRY_DELAYS_SECONDS: '0.3,0.3,0.3',
  WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
  WEBHOOK_TIMEOUT_SECONDS: '2',
  WEBHOOK_RETRY_DELAYS_SECONDS: '0.3,0.3,0.3',
};

const PRINTERS = 3;
/** Requests in flight to one endpoint. */
const IN_FLIGHT = 4;
/** The rest ends when nothing more came to its end for this long. */
const STALLED_MS = 120_000;
/** Looks take at most a tenth of the time, because they use the same processors; the first reads the whole log. */
const LOOK_MS = 250;
const PAUSE_PER_LOOK = 9;
const MAX_PAUSE_MS = 10_000;

export interface Tally {
  readonly jobs: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly told: object;
  readonly trouble: object;
  readonly lost: number;
  readonly seconds: readonly number[];
}

export interface Mood {
  /** The agents make no faults. */
  readonly faultless?: boolean;
  /** Pause between two jobs of a client. */
  readonly pauseMs?: number;
  /** Creating clients; default three. */
  readonly clients?: number;
  /** Agents that print for them, beside the one of the partner; default three. */
  readonly agents?: number;
  readonly printersPerAgent?: number;
  readonly pace?: AgentPace;
}

/** Clients, agents, webhooks and a partner under load while instances are killed. */
export class SharedLoad {
  readonly journal: Journal = new Map();
  private readonly working: Promise<unknown>[] = [];
  /** Start time of each phase. */
  private readonly began = [performance.now()];
  private done = false;
  private failure: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;

  private constructor(
    private readonly fleet: Fleet,
    readonly log: EventLog,
    readonly agents: readonly FieldAgent[],
    readonly subscribers: Subscribers,
  ) {
    this.failure = new Promise((_, reject) => (this.fail = reject));
    this.failure.catch(() => undefined);
  }

  static async begin(
    fleet: Fleet,
    seed: number,
    { faultless, pauseMs = 0, clients = 3, agents: count = 3, printersPerAgent = PRINTERS, pace }: Mood = {},
  ): Promise<SharedLoad> {
    const chance = chanceFrom(seed);
    const account = await openAccount(fleet);
    const subscribers = await Subscribers.subscribe(fleet, account);
    const partner = await TestPartner.open(fleet);
    const partnerAccount = await partner.account();
    const join = (accountId: string) =>
      FieldAgent.join(fleet, accountId, printersPerAgent, faultless ? () => 0.999 : chance, pace);
    const agents: FieldAgent[] = [];
    await atOnce(async () => {
      if (count-- <= 0) return false;
      agents.push(await join(account.accountId));
      return true;
    });
    const itsAgent = await join(partnerAccount);
    const load = new SharedLoad(fleet, new EventLog(fleet), [...agents, itsAgent], subscribers);
    for (const agent of load.agents) load.watch(agent.start());
    const printerIds = agents.flatMap((agent) => agent.printerIds);
    const enough = () => load.done;
    for (let n = 0; n < clients; n++) {
      const customer = { key: account.key, printerIds };
      load.work(createJobs(fleet, customer, load.journal, { chance, enough, pauseMs }));
    }
    load.work(printAndPoll(partner, partnerAccount, itsAgent, load.journal, enough));
    return load;
  }

  /** Keeps the load running during `work`; fails on the first unexpected answer. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([work(), this.failure]);
  }

  /** Stops creating; resolves when all jobs have ended and all webhooks are delivered. */
  async finish(): Promise<readonly StoredEvent[]> {
    this.done = true;
    this.began.push(performance.now());
    await this.during(() => Promise.all(this.working));
    this.began.push(performance.now());
    const events = await this.during(() => this.settled());
    this.began.push(performance.now());
    await this.during(() => Promise.all(this.agents.map((agent) => agent.stop())));
    return events;
  }

  /** @throws when nothing more comes to its end, with what is left */
  private async settled(): Promise<readonly StoredEvent[]> {
    let fewest = Infinity;
    for (let movedAt = performance.now(); ;) {
      const began = performance.now();
      const events = await this.log.read();
      const jobs = unfinished(events);
      const webhooks = this.subscribers.missing(events);
      const left = jobs.length + webhooks.reduce((sum, { count }) => sum + count, 0);
      if (process.env.TOLD) process.stderr.write(`left: ${jobs.length} jobs, ${left} ends\n`);
      if (left === 0) return events;
      const now = performance.now();
      if (left < fewest) [fewest, movedAt] = [left, now];
      if (now - movedAt > STALLED_MS) {
        const some = [...webhooks.map(({ path, count }) => `${path}: ${count}`), ...jobs].slice(0, 10);
        throw new Error(`no job or webhook came to its end for ${STALLED_MS} ms; left: ${some.join(', ')}`);
      }
      await pause(Math.min(MAX_PAUSE_MS, Math.max(LOOK_MS, PAUSE_PER_LOOK * (now - began))));
    }
  }

  /** Invariants afterwards, for any number of kills. */
  async prove(events: readonly StoredEvent[], kills: number): Promise<Tally> {
    expectOrder(events);
    expectOneJobEach(this.journal, events);
    expectSoundJobs(events);
    expectWithinLimits(events);
    expectTimersFiredOnce(events);
    expectPrintedOnce(this.agents, events);
    const told = this.subscribers.expectAllTold(events, kills, IN_FLIGHT);
    await expectViewsEqualReplay(this.fleet);
    const ends: Record<string, number> = {};
    for (const { type } of events) if (COUNTED.includes(type)) ends[type] = (ends[type] ?? 0) + 1;
    const lost = this.agents.reduce((sum, agent) => sum + agent.lost, 0);
    const seconds = this.began.slice(1).map((at, n) => Math.round((at - this.began[n]!) / 100) / 10);
    return { jobs: this.journal.size, ends, told, trouble: this.fleet.trouble, lost, seconds };
  }

  async abandon(): Promise<void> {
    this.done = true;
    await this.subscribers.close();
  }

  private work(working: Promise<unknown>): void {
    this.working.push(working);
    this.watch(working);
  }

  private watch(running: Promise<unknown>): void {
    running.catch(this.fail);
  }
}

const COUNTED = ['JobCompleted', 'JobCancelled', 'LeaseLapsed', 'LeaseReleased', 'JobRequeued'];
