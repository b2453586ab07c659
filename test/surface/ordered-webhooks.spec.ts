import { setImmediate } from 'node:timers/promises';
import {
  WebhookClient,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../src/contexts/webhooks/client/webhook-client.port.js';
import { JobScene } from '../kit/job-scene.js';
import { countOf, fixedSeed } from '../kit/length.js';
import { until } from '../kit/polling.js';
import { Random } from '../kit/random.js';
import { startTestService } from '../kit/service.js';
import { MINUTE, SECOND } from './asking.js';
import { WebhookClerk } from './webhook-asking.js';

/** As many as an account may have. */
const WEBHOOKS = 20;
const LIFE = [
  ...['job.created', 'job.queued', 'job.leased', 'job.accepted_by_agent'],
  ...['job.sent_to_spooler', 'job.spooler_completed'],
];
const JOBS = Math.ceil(
  countOf('DELIVERIES', { short: 720, long: 6_000, soak: 100_000 }) / (WEBHOOKS * LIFE.length),
);
const FAILING = 0.2;
const ATTEMPTS = 6;
/** Some first retries come due between two jobs. */
const LONGEST_BETWEEN_JOBS = 20 * SECOND;
const MOST_TURNS = 20;
const ALL_MS = 3_600_000;

/** Answers late and in any order, a fifth with a failure, and compares each request with those before it. */
class OrderJudge extends WebhookClient {
  readonly figures = { taken: 0, failed: 0, dead: 0, inversions: 0, together: 0 };
  private readonly newest = new Map<string, number>();
  private readonly inFlight = new Set<string>();
  private readonly failures = new Map<string, number>();

  constructor(private readonly random: Random) {
    super();
  }

  get ended(): number {
    return this.figures.taken + this.figures.dead;
  }

  async examine(target: string) {
    return { allowed: true, target } as const;
  }

  async send({ target, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
    const { sequence, data } = JSON.parse(Buffer.from(body).toString()) as {
      readonly sequence: number;
      readonly data: { readonly job: { readonly job_id: string } };
    };
    const job = `${target} ${data.job.job_id}`;
    if (sequence < (this.newest.get(job) ?? -1)) this.figures.inversions++;
    if (this.inFlight.has(job)) this.figures.together++;
    this.newest.set(job, sequence);
    this.inFlight.add(job);
    for (let turns = this.random.below(MOST_TURNS); turns > 0; turns--) await setImmediate();
    this.inFlight.delete(job);
    return this.answer(headers['x-svc-delivery-id']!);
  }

  async close(): Promise<void> {}

  private answer(deliveryId: string): WebhookAnswer {
    const failures = this.failures.get(deliveryId) ?? 0;
    this.failures.delete(deliveryId);
    if (!this.random.chance(FAILING)) {
      this.figures.taken++;
      return { durationMs: 1, responseStatus: 200 };
    }
    this.figures.failed++;
    if (failures + 1 === ATTEMPTS) this.figures.dead++;
    else this.failures.set(deliveryId, failures + 1);
    return { durationMs: 1, responseStatus: 500, failureCode: 'HTTP_STATUS' };
  }
}

describe('ordered webhooks', () => {
  it(
    'get the events of each job in order and one at a time, also if a fifth of the requests fail',
    async () => {
      const seed = fixedSeed(31);
      const random = new Random(seed);
      const judge = new OrderJudge(new Random(seed + 1));
      const service = await startTestService({ webhookClient: judge });
      const scene = await JobScene.open(service);
      const clerk = new WebhookClerk(service, scene.key);
      for (let n = 0; n < WEBHOOKS; n++) {
        // Half of them become ordered later.
        const ordered = n % 2 === 0;
        const wanted = { event_types: LIFE, ...(ordered && { ordered }) };
        const { webhookId } = await clerk.open(`https://shop-${n}.example.com/`, wanted);
        if (!ordered) await clerk.update(webhookId, { ordered: true });
      }
      for (let n = 0; n < JOBS; n++) {
        await scene.at('completed');
        await service.advance(random.below(LONGEST_BETWEEN_JOBS));
      }
      const all = JOBS * LIFE.length * WEBHOOKS;
      const left = () => `the end of ${all} deliveries, not ${judge.ended}`;
      await until(left, ALL_MS, async () => {
        await service.advance(10 * MINUTE);
        return judge.ended === all || undefined;
      });
      process.stdout.write(`SEED=${seed}: ${JSON.stringify({ deliveries: all, ...judge.figures })}\n`);
      expect(judge.figures).toMatchObject({ inversions: 0, together: 0 });
      expect(judge.figures.failed).toBeGreaterThan(all * 0.15);
      await service.close();
    },
    2 * ALL_MS,
  );
});
