import { plus, type Milliseconds } from '../../src/kernel/time.js';
import { Chance } from './chance.js';
import { endingsOf, type Ending } from './endings.js';
import { PastService } from './past-service.js';
import type { Receiver } from './receiver.js';
import type { Lease } from './shop-agent.js';
import { Shop, SignedInMember, type Desk } from './shop.js';

const SECOND: Milliseconds = 1_000;
const MINUTE = 60 * SECOND;
/** Agents call at least so often. */
const STEP = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Time for a computer to go offline before now. */
const EVENING = 10 * MINUTE;
const TITLES = ['Receipt', 'Invoice', 'Order', 'Label', 'Delivery note'];

/** What goes on after the past: Agents that keep calling, and the key of the bakery. */
export interface Installation {
  readonly accountId: string;
  readonly apiKey: string;
  /** Those whose Agents keep calling. */
  readonly desks: readonly Desk[];
  /** Jobs on their way at the first of them. */
  readonly held: readonly Lease[];
}

/** Writes the day before now into an empty data folder: two accounts, four computers, three webhooks, four members. */
export async function writeYesterday(dataDir: string, receiver: Receiver): Promise<Installation> {
  const past = await PastService.start(dataDir, DAY);
  try {
    const day = await Yesterday.open(past, receiver);
    await day.pass();
    return day.installation;
  } finally {
    await past.close();
  }
}

class Yesterday {
  private readonly chance = new Chance();
  private readonly endings: Record<Ending, (desk: Desk, title: string) => Promise<void>> = {
    printed: (desk, title) => this.printed(desk, title),
    rejected: (desk, title) => this.rejected(desk, title),
    retried: (desk, title) => this.retried(desk, title),
    cancelled: (desk, title) => this.cancelled(desk, title),
    expired: (desk, title) => this.expired(desk, title),
    'printed again': (desk, title) => this.printedAgain(desk, title),
    'in review': async (desk, title) => void (await this.inReview(desk, title)),
    'late result': (desk, title) => this.lateResult(desk, title),
  };
  private online: readonly Desk[];
  private held: readonly Lease[] = [];

  private constructor(
    private readonly past: PastService,
    private readonly bakery: Shop,
    private readonly corner: Shop,
    private readonly bea: SignedInMember,
  ) {
    this.online = [...bakery.desks, ...corner.desks];
  }

  static async open(past: PastService, receiver: Receiver): Promise<Yesterday> {
    const bakery = await Shop.open(past, 'Demo Bakery');
    await bakery.addDesk('FRONT-DESK', ['Till 1', 'Till 2', 'Label printer']);
    await bakery.addDesk('KITCHEN', ['Kitchen', 'Cold kitchen']);
    await bakery.addDesk('OFFICE', ['Office', 'Office colour']);
    const corner = await Shop.open(past, 'Corner Shop');
    await corner.addDesk('COUNTER', ['Counter', 'Back room']);
    await bakery.addWebhook(receiver.urlOf('orders'), 'Order system', ['job.spooler_completed']);
    await bakery.addWebhook(receiver.urlOf('broken'), 'Stock keeping', ['job.failed', 'job.manual_review']);
    await bakery.addWebhook(receiver.urlOf('gone'), 'Old till', ['job.cancelled']);
    const link = await bakery.invite('bea', 'Bea Baker', 'owner');
    await bakery.invite('dev', 'Dana Developer', 'developer');
    await bakery.invite('vic', 'Vic at the counter', 'viewer');
    await corner.invite('cora', 'Cora Corner', 'owner');
    return new Yesterday(past, bakery, corner, await SignedInMember.with(past.url, link));
  }

  get installation(): Installation {
    const { accountId, apiKey } = this.bakery;
    return { accountId, apiKey, desks: this.online, held: this.held };
  }

  async pass(): Promise<void> {
    const endings = endingsOf(this.chance);
    for (const [n, ending] of endings.entries()) {
      const share = (this.past.left - EVENING) / (endings.length - n);
      await this.wait(Math.max(STEP, share));
      await this.endings[ending](this.chance.of(this.online), `${this.chance.of(TITLES)} ${1_000 + n}`);
    }
    await this.leaveOpenJobs();
  }

  /** Lets time pass in steps, in which every Agent calls. */
  private async wait(ms: Milliseconds): Promise<void> {
    for (let left = Math.min(ms, this.past.left); left > 0; left -= STEP) {
      await this.past.advance(Math.min(left, STEP));
      await Promise.all(this.online.map(({ agent }) => agent.heartbeat()));
    }
  }

  private async create(desk: Desk, title: string, more: object = {}): Promise<string> {
    const shop = this.corner.desks.includes(desk) ? this.corner : this.bakery;
    return shop.create(this.chance.of(desk.printerIds), title, more);
  }

  private async printed(desk: Desk, title: string): Promise<void> {
    await this.create(desk, title, { external_id: `order-${this.chance.below(9_000) + 1_000}` });
    await this.past.advance(this.chance.below(900) + 100);
    const lease = await desk.agent.handOff();
    await this.past.advance(this.chance.below(400) + 50);
    await desk.agent.report(lease, 'spooled', { spooler_provider: 'windows', spooler_job_id: '17' });
    await this.past.advance(this.chance.below(4_000) + 500);
    await desk.agent.report(lease, 'spooler_completed');
  }

  private async rejected(desk: Desk, title: string): Promise<void> {
    await this.create(desk, title);
    const lease = await desk.agent.accept();
    const message = 'The file is damaged: page 2 cannot be drawn.';
    await desk.agent.report(lease, 'rejected', { failure_code: 'RENDER_FAILED', message });
  }

  private async retried(desk: Desk, title: string): Promise<void> {
    await this.create(desk, title);
    const lease = await desk.agent.accept();
    const failure = { failure_code: 'SPOOLER_UNAVAILABLE', failure_class: 'temporary' };
    await desk.agent.report(lease, 'rejected', { ...failure, message: 'The spooler does not answer.' });
    await this.wait(STEP);
    await desk.agent.print();
  }

  private async cancelled(desk: Desk, title: string): Promise<void> {
    const jobId = await this.create(desk, title);
    const shop = this.corner.desks.includes(desk) ? this.corner : this.bakery;
    await shop.client.jobs.cancel(jobId, { reason: 'ordered twice' });
  }

  private async expired(desk: Desk, title: string): Promise<void> {
    await this.create(desk, title, { expires_at: plus(this.past.now, 30 * SECOND) });
    await this.wait(STEP);
  }

  private async inReview(desk: Desk, title: string): Promise<string> {
    const own = this.ownDesk(desk);
    const jobId = await this.create(own, title);
    const lease = await own.agent.spool();
    await this.past.advance(20 * SECOND);
    await own.agent.report(lease, 'spooler_vanished', { message: 'The job is gone from the queue.' });
    return jobId;
  }

  private async printedAgain(desk: Desk, title: string): Promise<void> {
    const jobId = await this.inReview(desk, title);
    await this.wait(3 * MINUTE);
    await this.bea.printAgain(jobId, 'the tray was empty');
    await this.ownDesk(desk).agent.print();
  }

  /** The computer loses its network after the hand-off; its report comes when the job was printed again. */
  private async lateResult(desk: Desk, title: string): Promise<void> {
    const own = this.ownDesk(desk);
    const jobId = await this.create(own, title);
    const lost = await own.agent.handOff();
    await this.wait(11 * MINUTE);
    await this.bea.printAgain(jobId, 'nothing in the tray');
    await own.agent.print();
    await own.agent.report(lost, 'spooled', { spooler_provider: 'windows', spooler_job_id: '99' });
  }

  /** Members of the bakery decide about jobs of the bakery. */
  private ownDesk(desk: Desk): Desk {
    return this.bakery.desks.includes(desk) ? desk : this.bakery.desks[0]!;
  }

  /** One computer is disabled, one goes offline with jobs that wait, and one has a job that holds its printer up. */
  private async leaveOpenJobs(): Promise<void> {
    const [front, kitchen, office] = this.bakery.desks as [Desk, Desk, Desk];
    await this.past.operator('POST', `/computers/${office.agent.computerId}/disable`);
    for (const title of ['Order 1294', 'Order 1295']) await this.create(kitchen, title);
    const [, , labels] = front.printerIds;
    await this.bakery.create(labels!, 'Labels 1293');
    const held = [await front.agent.spool()];
    this.online = this.online.filter((desk) => desk !== kitchen && desk !== office);
    await this.wait(this.past.left);
    const stages = [front.agent.spool, front.agent.handOff, front.agent.accept, front.agent.lease];
    for (const [n, stage] of stages.entries()) {
      await this.create(front, `Receipt ${1_296 + n}`);
      held.push(await stage.call(front.agent));
    }
    await this.bakery.create(labels!, 'Labels 1300');
    this.held = held;
  }
}
