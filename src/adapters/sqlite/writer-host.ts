import { damageOf, isDamage, messageOf } from './sqlite-errors.js';
import type { Answer, FromWriter, ToWriter, WriterRequest } from './writer-messages.js';
import type { Writer } from './writer.js';

/**
 * Maximum requests per commit. By measurement, with more requests pending than this, the main thread handles the
 * answers of one commit while the next is written, instead of both threads waiting for each other.
 */
const LARGEST_BATCH = 128;

/** Runs the writer: requests that arrive during a commit go into the next. */
export class WriterHost {
  private readonly waiting: WriterRequest[] = [];
  /** Views to rebuild; requests during a rebuild share the next one. */
  private readonly toRebuild = new Set<string>();
  private rebuild: { views: readonly string[]; steps: Generator<void> } | undefined;
  private scheduled = false;
  private closing = false;
  private broken: string | undefined;

  constructor(
    private readonly writer: Pick<Writer, 'run' | 'rebuild' | 'close'>,
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
      case 'close':
        this.closing = true;
        break;
    }
    this.schedule();
  }

  /** Runs after all received messages are queued. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.turn());
  }

  private get rebuilding(): boolean {
    return this.rebuild !== undefined || this.toRebuild.size > 0;
  }

  private turn(): void {
    this.scheduled = false;
    if (this.waiting.length > 0) this.commit(this.waiting.splice(0, LARGEST_BATCH));
    if (this.rebuilding && !this.closing) this.rebuildStep();
    if (this.waiting.length > 0) this.schedule();
    else if (this.closing) this.close();
    else if (this.rebuilding) this.schedule();
  }

  private commit(requests: readonly WriterRequest[]): void {
    const start = performance.now();
    const answers = this.broken === undefined ? this.run(requests) : this.refuse(requests, 'not_written');
    const seconds = (performance.now() - start) / 1000;
    const appends = requests.filter(({ kind }) => kind === 'append').length;
    this.reply({ kind: 'answers', answers, appends, seconds });
  }

  private run(requests: readonly WriterRequest[]): Answer[] {
    try {
      return this.writer.run(requests);
    } catch (error) {
      this.break(error);
      return this.refuse(requests, 'unknown');
    }
  }

  /** Stops all writes after a failed commit, because only a restart reads the true content of the disk. */
  private break(error: unknown): void {
    this.broken = isDamage(error) ? damageOf(error).message : messageOf(error);
    this.reply({ kind: 'fatal', message: this.broken });
  }

  private refuse(requests: readonly WriterRequest[], outcome: 'not_written' | 'unknown'): Answer[] {
    return requests.map(() => ({ kind: 'unavailable', message: this.broken ?? '', outcome }));
  }

  private rebuildStep(): void {
    const { views, steps } = (this.rebuild ??= this.startRebuild());
    try {
      if (this.broken !== undefined) throw new Error(this.broken);
      if (!steps.next().done) return;
      this.reply({ kind: 'rebuilt', views });
    } catch (error) {
      this.reply({ kind: 'rebuilt', views, error: messageOf(error) });
      if (isDamage(error)) this.break(error);
    }
    this.rebuild = undefined;
  }

  private startRebuild() {
    const views = [...this.toRebuild];
    this.toRebuild.clear();
    return { views, steps: this.writer.rebuild(views) };
  }

  private close(): void {
    const views = [...(this.rebuild?.views ?? []), ...this.toRebuild];
    this.reply({ kind: 'rebuilt', views, error: 'the store is closing' });
    try {
      this.writer.close();
    } catch (error) {
      if (this.broken === undefined) this.break(error);
    }
    this.reply({ kind: 'closed' });
  }
}
