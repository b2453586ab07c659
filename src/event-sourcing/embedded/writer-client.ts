import { noStoreMetrics, type StoreMetrics } from '../ports/event-store.port.js';
import type { PackingRule } from '../ports/stores.js';
import type { WriterLink } from './store-threads.js';
import type { Answer, FromWriter, WriterRequest } from './writer-messages.js';
import { ConcurrencyError, UnavailableError } from '../../kernel/errors.js';

interface Pending {
  settle(answer: Answer): void;
}

interface Waiting<T = void> {
  resolve(result: T): void;
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
  private readonly rebuilds = new Map<string, Waiting[]>();
  private readonly packings: Waiting<number>[] = [];
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

  /** Called after the promises of a commit settle, before their callbacks run. */
  onCommit(listener: (views: readonly string[]) => void): void {
    this.commitListeners.push(listener);
  }

  rebuild(view: string): Promise<void> {
    const refused = this.refused();
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const waiting = this.rebuilds.get(view) ?? [];
      if (waiting.push({ resolve, reject }) === 1) this.link({ kind: 'rebuild', view });
      this.rebuilds.set(view, waiting);
    });
  }

  /** Resolves when nothing is left to pack. @throws UnavailableError, Error for a damaged event */
  pack(rule: PackingRule): Promise<number> {
    const refused = this.refused();
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      this.packings.push({ resolve, reject });
      this.link({ kind: 'pack', rule });
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
      case 'rebuilt':
        for (const view of message.views) this.settleRebuild(view, message.error);
        for (const listener of this.commitListeners) listener(message.views);
        break;
      case 'packed':
        this.packings.shift()?.resolve(message.streams);
        break;
      case 'packing_failed':
        this.packings.shift()?.reject(new Error(message.error));
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

  private settleRebuild(view: string, error: string | undefined): void {
    const waiting = this.rebuilds.get(view) ?? [];
    this.rebuilds.delete(view);
    for (const { resolve, reject } of waiting) {
      if (error === undefined) resolve();
      else reject(new Error(error));
    }
  }

  private abandon(message: string): void {
    const lost: Answer = { kind: 'unavailable', message: this.broken ?? message, outcome: 'unknown' };
    for (const { settle } of this.pending.splice(0)) settle(lost);
    for (const { reject } of this.packings.splice(0)) reject(new UnavailableError(this.broken ?? message));
    for (const view of [...this.rebuilds.keys()]) this.settleRebuild(view, this.broken ?? message);
  }
}

function orThrow(answer: Answer): Answer {
  switch (answer.kind) {
    case 'conflict': {
      const { stream, expected, actual } = answer;
      throw new ConcurrencyError(stream, expected < 0 ? 'no_stream' : expected, actual);
    }
    case 'unavailable':
      throw new UnavailableError(answer.message, answer.outcome);
    case 'failed':
      throw new Error(answer.message);
    default:
      return answer;
  }
}
