import { damageOf, isDamage } from './sqlite-errors.js';
import type { Answer, FromWriter, ToWriter, WriterRequest, WriterTask } from './writer-messages.js';
import type { Writer } from './writer.js';
import { messageOf } from '../../kernel/errors.js';

const LARGEST_BATCH = 128;
/** Fewer requests are not divided: small commits write more pages for each. */
const SMALLEST_SHARE = 32;

/** Half of the waiting requests: the main thread handles answers of one half while the other is written. */
function shareOf(waiting: number): number {
  return Math.min(LARGEST_BATCH, Math.max(SMALLEST_SHARE, Math.ceil(waiting / 2)));
}

/** Requests that arrive during a commit go into the next. */
export class WriterHost {
  private readonly waiting: WriterRequest[] = [];
  private readonly tasks: WriterTask[] = [];
  /** Of the first tasks; each is a transaction between two commits. */
  private steps: Generator<void, number | void> | undefined;
  /** Tasks that the steps carry out. */
  private begun = 1;
  /** First tasks that are carried out one by one, because their common pass failed. */
  private alone = 0;
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
      case 'task':
        this.tasks.push(message.task);
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

  private turn(): void {
    this.scheduled = false;
    if (this.waiting.length > 0) this.commit(this.waiting.splice(0, shareOf(this.waiting.length)));
    if (this.tasks.length > 0 && !this.closing) this.step();
    if (this.waiting.length > 0) this.schedule();
    else if (this.closing) this.close();
    else if (this.tasks.length > 0) this.schedule();
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
    try {
      if (this.broken !== undefined) throw new Error(this.broken);
      this.steps ??= this.begin();
      const { done, value } = this.steps.next();
      if (done) this.end({ result: value ?? 0 });
    } catch (error) {
      if (this.begun > 1 && this.broken === undefined && !isDamage(error)) return this.repeatAlone();
      this.end({ error: messageOf(error) });
      if (isDamage(error)) this.break(error);
    }
  }

  /** A view that cannot be built does not fail the others of its pass. */
  private repeatAlone(): void {
    this.alone = this.begun;
    this.begun = 1;
    this.steps = undefined;
  }

  /** Rebuilds that wait share one pass over the events. */
  private begin(): Generator<void, number | void> {
    const [first] = this.tasks;
    if (first?.kind === 'pack') return this.writer.pack(first.rule);
    const views: string[] = [];
    for (const task of this.alone > 0 ? this.tasks.slice(0, 1) : this.tasks) {
      if (task.kind !== 'rebuild') break;
      views.push(task.view);
    }
    this.begun = views.length;
    return this.writer.rebuild([...new Set(views)]);
  }

  private end(outcome: { readonly result: number } | { readonly error: string }): void {
    const views = this.writer.takeChangedViews();
    for (const _ of this.tasks.splice(0, this.begun)) this.reply({ kind: 'performed', views, ...outcome });
    this.alone = Math.max(0, this.alone - this.begun);
    this.begun = 1;
    this.steps = undefined;
  }

  private close(): void {
    while (this.tasks.length > 0) this.end({ error: 'the store is closing' });
    try {
      this.writer.close();
    } catch (error) {
      if (this.broken === undefined) this.break(error);
    }
    this.reply({ kind: 'closed' });
  }
}
