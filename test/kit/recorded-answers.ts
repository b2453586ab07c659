import { instant, plus, type Instant } from '../../src/kernel/time.js';
import type { Answered, Call } from './http/client.js';
import { byStream, type StoredEvent } from './stored-events.js';

/** A job, and the key of its client. */
export interface AskedJob {
  readonly jobId: string;
  readonly as: string;
}

interface Answer extends AskedJob {
  /** Before the request, and after its answer. */
  readonly asked: Instant;
  readonly at: Instant;
  readonly data: string;
}

/** Readers ask for one of so many newest jobs, which still change. */
const NEWEST = 12;
const READERS = 3;
/** An event has the time of its command, which on a machine with a load of 25 waited seconds for its commit. */
const COMMIT_MS = 30_000;
/** 2.5 % on an idle machine, 12 % where commits wait; a fault in `at` would overtake nearly all. */
const MOST_OVERTAKEN = 0.5;

/** Answers of getPrintJob under load, compared afterwards with what it answers `at` their moment. */
export class RecordedAnswers {
  private readonly answers: Answer[] = [];
  private readonly jobs: AskedJob[] = [];

  /** @param call repeats a request until it is answered */
  constructor(
    private readonly call: (method: string, path: string, call: Call) => Promise<Answered>,
    private readonly chance: () => number,
  ) {}

  /** Readers may ask for this job from now on. */
  add(job: AskedJob): void {
    this.jobs.push(job);
  }

  /** Reads until it has so many answers more. */
  async read(more: number): Promise<void> {
    const enough = this.answers.length + more;
    const reader = async () => {
      while (this.answers.length < enough) {
        const newest = this.jobs.slice(-NEWEST);
        const job = newest[Math.floor(this.chance() * newest.length)];
        if (job) await this.record(job);
        else await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
  }

  /** @param events all that are stored */
  async compare(events: readonly StoredEvent[]) {
    const streams = byStream(events);
    let overtaken = 0;
    const differing: object[] = [];
    for (const answer of this.answers) {
      if ((await this.told(answer, answer.at)) === answer.data) continue;
      const story = streams.get(`job-${answer.jobId}`)!;
      if (await this.isOvertaken(answer, story)) overtaken++;
      else
        differing.push({ ...answer, story: story.map(({ type, recorded_at }) => `${type} ${recorded_at}`) });
    }
    expect(differing).toEqual([]);
    expect(overtaken).toBeLessThan(this.answers.length * MOST_OVERTAKEN);
    return { answers: this.answers.length, overtaken };
  }

  private async record(job: AskedJob): Promise<void> {
    const asked = instant(Date.now());
    const data = await this.told(job);
    this.answers.push({ ...job, asked, at: instant(Date.now()), data });
  }

  /** Whether it shows the job right before an event that was stored during the request. */
  private async isOvertaken(answer: Answer, story: readonly StoredEvent[]) {
    const { asked, at, data } = answer;
    const since = plus(asked, -COMMIT_MS);
    const times = story.map(({ recorded_at }) => recorded_at).filter((time) => time >= since && time <= at);
    for (const time of new Set(times)) if ((await this.told(answer, plus(time, -1))) === data) return true;
    return false;
  }

  private async told({ jobId, as }: AskedJob, at?: Instant): Promise<string> {
    const path = `/svc-api-print-jobs/${jobId}${at ? `?at=${at}` : ''}`;
    const { status, text, body } = await this.call('GET', path, { as });
    if (status !== 200 && !at) throw new Error(`not shown: ${text}`);
    return JSON.stringify(body.data);
  }
}
