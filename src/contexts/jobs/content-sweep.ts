import { jobView, type JobDocument } from '../../../projections/job-view/job-view.js';
import { epochMs, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import type { ContentStore } from '../../ports/content-store.port.js';
import type { ViewStore } from '../../ports/view-store.port.js';

const EVERY_MS: Milliseconds = 24 * 3_600_000;
/** A document is stored before the job that names it; a younger one may still get its job. */
const YOUNG_MS: Milliseconds = 3_600_000;
const PAGE = 200;

/**
 * Deletes document bytes that no job needs: those of a create that a crash cut off, and those whose purge was
 * recorded when a crash came before the deletion. Runs at the start and once a day.
 */
export class ContentSweep {
  private cancel: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly contents: ContentStore,
    private readonly views: ViewStore,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.stopped = false;
    this.running = this.sweep()
      .then(() => undefined, this.onError)
      .then(() => {
        if (!this.stopped) this.cancel = this.clock.after(EVERY_MS, () => this.start());
      });
  }

  stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    return this.running;
  }

  /** Resolves to how many documents it deleted. */
  async sweep(): Promise<number> {
    let deleted = 0;
    let after: string | undefined;
    do {
      const ids = await this.contents.ids(after, PAGE);
      after = ids.at(-1);
      const needless = await this.needless(ids);
      for (const id of needless) await this.contents.delete(id);
      deleted += needless.length;
    } while (after !== undefined && !this.stopped);
    return deleted;
  }

  private async needless(ids: readonly string[]): Promise<readonly string[]> {
    const old = ids.filter((id) => bornAt(id) + YOUNG_MS < epochMs(this.clock.now()));
    const listed = await this.views.getMany<JobDocument>(jobView, old);
    const known = new Map(listed.map((job) => [job.job_id, job]));
    const needless: string[] = [];
    for (const id of old) {
      // A list may lag behind the events; a look at the one document does not miss it.
      const job = known.get(id) ?? (await this.views.get<JobDocument>(jobView, id));
      if (!job?.content_available) needless.push(id);
    }
    return needless;
  }
}

/** Epoch milliseconds in a UUID version 7. */
function bornAt(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
