import { ChangeFollower } from '../../../../kit/change-follower.js';
import { OpenFeed } from '../../../../kit/panel-feed.js';
import { TestPartner } from '../../../../kit/partner.js';
import { pause, until } from '../../../../kit/polling.js';
import { chanceFrom } from '../../../../kit/random.js';
import { RecordedAnswers } from '../../../../kit/recorded-answers.js';
import { ALL_SCOPES } from '../../../../kit/world.js';
import { enrolled, FieldAgent } from './agents.js';
import { atOnce } from './at-once.js';
import { EventLog } from './event-log.js';
import type { Fleet } from './fleet.js';
import { killAndRestart } from './kills.js';

export interface Size {
  readonly accounts: number;
  readonly jobs: number;
  readonly kills: number;
  /** Answers of getPrintJob that are recorded around the kills. */
  readonly answers: number;
}

/** Accounts with an Agent that prints and a reader of their own; every second job is theirs. */
const FOLLOWED = 10;
const PRINTERS = 2;
/** After so many kills an instance stops on SIGTERM, which stores the newest part of the index. */
const KILLS_PER_STOP = 3;
/** Agents abandon and give back some jobs, which come again late. */
const PRINTED = 0.9;
const PATIENCE_MS = 600_000;
const PAUSE_MS = 10;

interface Account {
  readonly accountId: string;
  readonly printerIds: readonly string[];
  readonly key?: string;
}

interface Reader {
  readonly name: string;
  readonly follower: ChangeFollower;
  readonly accounts: readonly string[];
}

/** A partner that prints in many accounts while readers follow its changes and instances are killed. */
export class FollowedFleet {
  private readonly readers: Reader[] = [];
  private readonly agents: FieldAgent[] = [];
  private readonly followed: Account[] = [];
  private readonly others: Account[] = [];
  /** Ids of all accounts. */
  private readonly accounts: string[] = [];
  private readonly following: Promise<void>[] = [];
  private readonly recorded: RecordedAnswers;
  private readonly failure: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private begun = 0;
  private created = 0;
  private killed = 0;
  private isOver = false;
  private turn = 0;

  private constructor(
    private readonly fleet: Fleet,
    private readonly partner: TestPartner,
    private readonly size: Size,
    private readonly chance: () => number,
  ) {
    this.recorded = new RecordedAnswers(fleet.call, chance);
    this.failure = new Promise((_, reject) => (this.fail = reject));
    this.failure.catch(() => undefined);
  }

  /** Resolves to what each reader saw and to the figures of the run, with the seconds of each of its parts. */
  static async run(fleet: Fleet, size: Size, seed: number) {
    const scene = new FollowedFleet(fleet, await TestPartner.open(fleet), size, chanceFrom(seed));
    try {
      return await Promise.race([scene.happen(), scene.failure]);
    } finally {
      scene.isOver = true;
    }
  }

  private async happen() {
    const times = [performance.now()];
    const lap = () => times.push(performance.now());
    this.follow('partner', '/managed/changes', this.partner.credential, this.accounts, false);
    for (let n = 0; n < FOLLOWED; n++) await this.openFollowed(n);
    await atOnce(() => this.openOther());
    lap();
    await Promise.all([this.killInstances(), atOnce(() => this.createJob())]);
    lap();
    const wanted = (this.size.jobs / 2) * PRINTED;
    const printed = () => this.agents.reduce((sum, agent) => sum + agent.printed.length, 0);
    await this.reached(
      () => `${wanted} printed jobs, not ${printed()}`,
      () => printed() >= wanted,
    );
    await Promise.all(this.agents.map((agent) => agent.stop()));
    lap();
    const log = new EventLog(this.fleet);
    const end = (await log.read()).length;
    this.isOver = true;
    await Promise.all(this.following);
    const events = await log.read();
    lap();
    const readers = this.readers.map(({ name, follower, accounts }) => ({
      ...{ name, seen: follower.count },
      ...follower.faults(events, accounts, end),
    }));
    const answers = await this.recorded.compare(events);
    lap();
    const seconds = times.slice(1).map((at, n) => Math.round((at - times[n]!) / 1_000));
    return {
      readers,
      ...answers,
      printed: printed(),
      events: events.length,
      seconds,
      trouble: this.fleet.trouble,
    };
  }

  /** Its reader asks as the partner or with a key of the account, in pages or as a stream. */
  private async openFollowed(n: number): Promise<void> {
    const accountId = await this.partner.account();
    this.accounts.push(accountId);
    const { api_key } = await this.fleet.operate('POST', `/accounts/${accountId}/keys`, {
      scopes: ALL_SCOPES,
    });
    const key = String(api_key);
    const [path, as] =
      n % 4 < 2 ? [`/accounts/${accountId}/changes`, this.partner.credential] : ['/svc-api-changes', key];
    this.follow(`account ${n}`, path, as, [accountId], n % 2 === 1);
    const agent = await FieldAgent.join(this.fleet, accountId, PRINTERS, this.chance);
    agent.start().catch(this.fail);
    this.agents.push(agent);
    this.followed.push({ accountId, printerIds: agent.printerIds, key });
  }

  private async openOther(): Promise<boolean> {
    if (this.accounts.length >= this.size.accounts) return false;
    const n = this.accounts.push('') - 1;
    // Accounts of one name would try as many slugs as there are accounts before.
    const accountId = (this.accounts[n] = await this.partner.account(`Shop ${n}`));
    const { printerIds } = await enrolled(this.fleet, accountId);
    this.others.push({ accountId, printerIds });
    return true;
  }

  private follow(
    name: string,
    path: string,
    as: string,
    accounts: readonly string[],
    isStream: boolean,
  ): void {
    const isOver = () => this.isOver;
    const follower = new ChangeFollower((query, headers) =>
      this.fleet.call('GET', path + query, { as, headers }),
    );
    const open = async (headers: Record<string, string>) => {
      const { serving } = this.fleet;
      const { process } = serving[this.turn++ % serving.length]!;
      return OpenFeed.at(process.url + path, {
        ...{ authorization: `Bearer ${as}`, accept: 'text/event-stream' },
        ...headers,
      });
    };
    const following = isStream ? follower.followStreams(open, isOver) : follower.follow(isOver);
    following.catch(this.fail);
    this.following.push(following);
    this.readers.push({ name, follower, accounts });
  }

  private async createJob(): Promise<boolean> {
    const { jobs } = this.size;
    if (this.begun >= jobs) return false;
    // The jobs after the next kill wait for its end.
    if (this.begun >= (this.killed + 2) * this.perKill) return pause(PAUSE_MS, true);
    const n = this.begun++;
    const of = n % 2 === 0 ? this.followed : this.others;
    const { accountId, printerIds, key } = of[(n >> 1) % of.length]!;
    const { status, text, body } = await this.partner.print(accountId, printerIds[n % printerIds.length]!);
    if (status > 201) throw new Error(`a create was answered ${status}: ${text}`);
    if (key) this.recorded.add({ jobId: String(body.data!.job_id), as: key });
    this.created++;
    return true;
  }

  private get perKill(): number {
    return this.size.jobs / (this.size.kills + 1);
  }

  private async killInstances(): Promise<void> {
    const { fleet, size } = this;
    const victim = (n: number) => fleet.instances[n % fleet.instances.length]!;
    while (this.killed < size.kills) {
      const n = this.killed + 1;
      await this.reached(
        () => `kill ${n}`,
        () => this.created >= n * this.perKill,
      );
      const recording = this.recorded.read(size.answers / size.kills);
      await Promise.all([killAndRestart(fleet, victim(n)), recording]);
      if (n % KILLS_PER_STOP === 0) {
        await fleet.stop(victim(n + 1));
        await fleet.start(victim(n + 1));
      }
      this.killed = n;
    }
  }

  private async reached(what: () => string, isSo: () => boolean): Promise<void> {
    await until(what, PATIENCE_MS, () => isSo() || undefined);
  }
}
