import { instant, plus, type Instant } from '../../../../src/kernel/time.js';
import type { StoredEvent } from '../../../kit/stored-events.js';
import type { Load } from './clients.js';

interface Answer {
  readonly jobId: string;
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

  constructor(private readonly load: Load) {}

  /** Reads until it has so many answers more. */
  async read(more: number): Promise<void> {
    const enough = this.answers.length + more;
    const reader = async () => {
      while (this.answers.length < enough) {
        const { journal, chance } = this.load;
        const newest = journal.slice(-NEWEST);
        const { jobId } = newest[Math.floor(chance() * newest.length)] ?? {};
        if (jobId) await this.record(jobId);
        else await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
  }

  /** @param streams of all events */
  async compare(streams: ReadonlyMap<string, readonly StoredEvent[]>) {
    let overtaken = 0;
    const differing: object[] = [];
    for (const answer of this.answers) {
      if ((await this.told(answer.jobId, answer.at)) === answer.data) continue;
      const story = streams.get(`job-${answer.jobId}`)!;
      if (await this.isOvertaken(answer, story)) overtaken++;
      else
        differing.push({ ...answer, story: story.map(({ type, recorded_at }) => `${type} ${recorded_at}`) });
    }
    expect(differing).toEqual([]);
    expect(overtaken).toBeLessThan(this.answers.length * MOST_OVERTAKEN);
    return { answers: this.answers.length, overtaken };
  }

  private async record(jobId: string): Promise<void> {
    const asked = instant(Date.now());
    const data = await this.told(jobId);
    this.answers.push({ jobId, asked, at: instant(Date.now()), data });
  }

  /** Whether it shows the job right before an event that was stored during the request. */
  private async isOvertaken({ jobId, asked, at, data }: Answer, story: readonly StoredEvent[]) {
    const since = plus(asked, -COMMIT_MS);
    const times = story.map(({ recorded_at }) => recorded_at).filter((time) => time >= since && time <= at);
    for (const time of new Set(times)) if ((await this.told(jobId, plus(time, -1))) === data) return true;
    return false;
  }

  private async told(jobId: string, at?: Instant): Promise<string> {
    const { gate, world } = this.load;
    const path = `/svc-api-print-jobs/${jobId}${at ? `?at=${at}` : ''}`;
    const { status, text, body } = await gate.call('GET', path, { as: world.seed.key });
    if (status !== 200 && !at) throw new Error(`not shown: ${text}`);
    return JSON.stringify(body.data);
  }
}
