import { noStoreMetrics, type StoreMetrics } from '../ports/event-store.port.js';
import type { WriterLink } from './store-threads.js';
import type { Answer, FromWriter, WriterRequest, WriterTask } from './writer-messages.js';
import { ConcurrencyError, UnavailableError } from '../../kernel/errors.js';

interface Pending {
  settle(answer: Answer): void;
}

interface Waiting {
  resolve(result: number): void;
  reject(error: Error): void;
}

interface WriterClientOptions {
  readonly metrics?: StoreMetrics | undefined;
  readonly onFatal?: ((error: Error) => void) | undefined;
}

/** Requests of one event-loop turn form one message. */
export class WriterClient {
  private outbox: WriterRequest[] = [];
  private readonly pending: Pending[] = [];
  private readonly tasks: Waiting[] = [];
  private broken: string | undefined;
  private closing: Promise<void> | undefined;
  private gone = false;
  private onClosed: () => void = () => undefined;
  private readonly commitListeners: ((views: readonly string[]) => void)[] = [];

  private readonly metrics: StoreMetrics;
  private readonly onFatal: (error: Error) => void;

  private link: WriterLink = () => undefined;

  constructor({ metrics = noStoreMetrics, onFatal = () => undefined }: WriterClientOptions = {}) {
    this.metrics = metrics;
    this.onFatal = onFatal;
  }

  connect(link: WriterLink): void {
    this.link = link;
  }

  /** Resolves once the request is on disk. @throws UnavailableError */
  submit<T>(request: WriterRequest, read: (answer: Answer) => T): Promise<T> {
    const refused = this.refused();
    if (refused) return Promise.reject(refused);
    return new Promise<T>((resolve, reject) => {
      const settle = (answer: Answer) => {
        try {
          resolve(read(orThrow(answer)));
        } catch (error) {
          reject(error as Error);
        }
      };
      this.pending.push({ settle });
      if (this.outbox.push(request) === 1) setImmediate(() => this.send());
    });
  }

  /** Runs a statement for each of the values. Resolves to the number of changed rows. @throws as `submit` */
  write(sql: string, values: readonly (readonly unknown[])[]): Promise<number> {
    return this.submit({ kind: 'write', sql, values }, (answer) =>
      answer.kind === 'done' ? answer.changes : 0,
    );
  }

  /** Called after the promises of a commit settle, before their callbacks run. */
  onCommit(listener: (views: readonly string[]) => void): void {
    this.commitListeners.push(listener);
  }

  /** Resolves to the number of packed streams. @throws UnavailableError, Error of the task */
  perform(task: WriterTask): Promise<number> {
    const refused = this.refused();
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      this.tasks.push({ resolve, reject });
      this.link({ kind: 'task', task });
    });
  }

  private refused(): UnavailableError | undefined {
    if (this.broken === undefined && !this.closing) return undefined;
    return new UnavailableError(this.broken ?? 'the store is closed', 'not_written');
  }

  /** Stops all writes after another thread found the database unusable. */
  fail(error: UnavailableError): void {
    if (this.broken !== undefined) return;
    this.broken = error.message;
    this.onFatal(error);
  }

  /** @throws UnavailableError once writing is impossible */
  check(): void {
    if (this.broken !== undefined) throw new UnavailableError(this.broken, 'not_written');
  }

  close(): Promise<void> {
    this.closing ??= new Promise((resolve) => {
      if (this.gone) return resolve();
      this.onClosed = resolve;
      this.send();
      this.link({ kind: 'close' });
    });
    return this.closing;
  }

  private send(): void {
    if (this.outbox.length === 0) return;
    this.link({ kind: 'requests', requests: this.outbox });
    this.outbox = [];
  }

  receive(message: FromWriter): void {
    switch (message.kind) {
      case 'answers':
        this.metrics.committed(message.appends, message.seconds);
        this.pending
          .splice(0, message.answers.length)
          .forEach(({ settle }, n) => settle(message.answers[n]!));
        for (const listener of this.commitListeners) listener(message.views);
        break;
      case 'performed':
        this.ended(message);
        for (const listener of this.commitListeners) listener(message.views);
        break;
      case 'fatal':
        this.fail(new UnavailableError(message.message));
        break;
      case 'closed':
        this.gone = true;
        this.abandon('the store is closed');
        this.onClosed();
        break;
      case 'ready':
        break;
    }
  }

  private ended({ result = 0, error }: Extract<FromWriter, { kind: 'performed' }>): void {
    const waiting = this.tasks.shift();
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }

  private abandon(message: string): void {
    const lost: Answer = { kind: 'unavailable', message: this.broken ?? message, outcome: 'unknown' };
    for (const { settle } of this.pending.splice(0)) settle(lost);
    for (const { reject } of this.tasks.splice(0)) reject(new UnavailableError(this.broken ?? message));
  }
}

function orThrow(answer: Answer): Answer {
  switch (answer.kind) {
    case 'conflict':
      throw new ConcurrencyError(answer.stream, answer.expected, answer.actual);
    case 'unavailable':
      throw new UnavailableError(answer.message, answer.outcome);
    case 'failed':
      throw new Error(answer.message);
    default:
      return answer;
  }
}
