import { damageOf, isDamage, messageOf } from './sqlite-errors.js';
import type { PackingRule } from '../ports/stores.js';
import type { Answer, FromWriter, ToWriter, WriterRequest } from './writer-messages.js';
import type { Writer } from './writer.js';

const LARGEST_BATCH = 128;
/** Fewer requests are not divided: small commits write more pages for each. */
const SMALLEST_SHARE = 32;

/** Half of the waiting requests: the main thread handles answers of one half while the other is written. */
function shareOf(waiting: number): number {
  return Math.min(LARGEST_BATCH, Math.max(SMALLEST_SHARE, Math.ceil(waiting / 2)));
}

/** Steps run between commits. */
interface Work {
  /** Each step is a transaction. */
  readonly steps: Generator<void, number | void>;
  readonly done: (result: number | void) => FromWriter;
  readonly failed: (error: string) => FromWriter;
}

/** Starts in the first step, which then handles its errors. */
function* begun<T>(work: () => Generator<void, T>): Generator<void, T> {
  return yield* work();
}

/** Requests that arrive during a commit go into the next. */
export class WriterHost {
  private readonly waiting: WriterRequest[] = [];
  /** Requests during a rebuild share the next one. */
  private readonly toRebuild = new Set<string>();
  private readonly toPack: PackingRule[] = [];
  private work: Work | undefined;
  private scheduled = false;
  private closing = false;
  private broken: string | undefined;

  constructor(
    private readonly writer: Pick<Writer, 'run' | 'takeChangedViews' | 'rebuild' | 'pack' | 'close'>,
    private readonly reply: (message: FromWriter) => void,
  ) {}

  receive(message: ToWriter): void {
    switch (message.kind) {
      case 'requests':
        for (const request of message.requests) this.waiting.push(request);
        break;
      case 'rebuild':
        this.toRebuild.add(message.view);
        break;
      case 'pack':
        this.toPack.push(message.rule);
        break;
      case 'close':
        this.closing = true;
        break;
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.turn());
  }

  private get working(): boolean {
    return this.work !== undefined || this.toRebuild.size > 0 || this.toPack.length > 0;
  }

  private turn(): void {
    this.scheduled = false;
    if (this.waiting.length > 0) this.commit(this.waiting.splice(0, shareOf(this.waiting.length)));
    if (this.working && !this.closing) this.step();
    if (this.waiting.length > 0) this.schedule();
    else if (this.closing) this.close();
    else if (this.working) this.schedule();
  }

  private commit(requests: readonly WriterRequest[]): void {
    const start = performance.now();
    const answers = this.broken === undefined ? this.run(requests) : this.refuse(requests, 'not_written');
    const seconds = (performance.now() - start) / 1000;
    const appends = requests.filter(({ kind }) => kind === 'append').length;
    this.reply({ kind: 'answers', answers, appends, seconds, views: this.writer.takeChangedViews() });
  }

  private run(requests: readonly WriterRequest[]): Answer[] {
    try {
      return this.writer.run(requests);
    } catch (error) {
      this.break(error);
      return this.refuse(requests, 'unknown');
    }
  }

  /** Only a restart reads the true content of the disk. */
  private break(error: unknown): void {
    this.broken = isDamage(error) ? damageOf(error).message : messageOf(error);
    this.reply({ kind: 'fatal', message: this.broken });
  }

  private refuse(requests: readonly WriterRequest[], outcome: 'not_written' | 'unknown'): Answer[] {
    return requests.map(() => ({ kind: 'unavailable', message: this.broken ?? '', outcome }));
  }

  private step(): void {
    const { steps, done, failed } = (this.work ??= this.nextWork());
    try {
      if (this.broken !== undefined) throw new Error(this.broken);
      const { done: isDone, value } = steps.next();
      if (!isDone) return;
      this.reply(done(value));
    } catch (error) {
      this.reply(failed(messageOf(error)));
      if (isDamage(error)) this.break(error);
    }
    this.work = undefined;
  }

  /** Views first: a request waits for their rebuild. */
  private nextWork(): Work {
    return this.toRebuild.size > 0 ? this.rebuild() : this.pack(this.toPack.shift()!);
  }

  private rebuild(): Work {
    const views = [...this.toRebuild];
    this.toRebuild.clear();
    return {
      steps: begun(() => this.writer.rebuild(views)),
      done: () => ({ kind: 'rebuilt', views }),
      failed: (error) => ({ kind: 'rebuilt', views, error }),
    };
  }

  private pack(rule: PackingRule): Work {
    return {
      steps: begun(() => this.writer.pack(rule)),
      done: (result) => ({ kind: 'packed', streams: result as number }),
      failed: (error) => ({ kind: 'packing_failed', error }),
    };
  }

  private close(): void {
    const closing = 'the store is closing';
    if (this.work) this.reply(this.work.failed(closing));
    if (this.toRebuild.size > 0) this.reply(this.rebuild().failed(closing));
    for (const rule of this.toPack.splice(0)) this.reply(this.pack(rule).failed(closing));
    try {
      this.writer.close();
    } catch (error) {
      if (this.broken === undefined) this.break(error);
    }
    this.reply({ kind: 'closed' });
  }
}
