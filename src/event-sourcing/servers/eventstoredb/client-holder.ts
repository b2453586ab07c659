import type { Milliseconds } from '../../../kernel/time.js';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Client } from './client.js';
import { kindOf } from './failures.js';
import type { OutageMember } from './outage.js';
import { UnavailableError } from '../../../kernel/errors.js';

const UNCLASSIFIED_IN_A_ROW = 2;
const WITHOUT_SUCCESS_MS: Milliseconds = 30_000;
/** A call that waits this long without any answered call finds a silent server. */
const SILENT_MS: Milliseconds = 2_000;

export type Ticks = () => Milliseconds;

export interface ClientHolderOptions {
  readonly make: () => Client;
  readonly replaced: (reason: string) => void;
  readonly outage?: OutageMember;
  readonly ticks?: Ticks;
}

/** Replaces a client that caches failed promises (F4, F5) or whose server is silent. */
export class ClientHolder {
  private client: Client;
  private unclassified = 0;
  private failingSince: Milliseconds | undefined;
  private answeredAt: Milliseconds;
  private isClosed = false;
  private readonly ticks: Ticks;

  constructor(private readonly options: ClientHolderOptions) {
    this.ticks = options.ticks ?? (() => performance.now());
    this.client = options.make();
    this.answeredAt = this.ticks();
  }

  get current(): EventStoreDBClient {
    return this.client.calls;
  }

  /** Rethrows the error of `work`. @throws UnavailableError after `close` */
  async run<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new UnavailableError('the event store is closed', 'not_written');
    const client = this.current;
    const begun = this.ticks();
    try {
      const result = await work(client);
      this.succeeded(client);
      return result;
    } catch (error) {
      this.failed(client, error, begun);
      throw error;
    }
  }

  succeeded(client: EventStoreDBClient): void {
    if (client !== this.current) return;
    this.answeredAt = this.ticks();
    this.resetCounts();
    this.options.outage?.succeeded();
  }

  failed(client: EventStoreDBClient, error: unknown, begun: Milliseconds = this.ticks()): void {
    const kind = kindOf(error);
    if (kind !== 'answered') this.options.outage?.failed(error);
    if (client !== this.current) return;
    if (kind === 'answered') return this.succeeded(client);
    this.failingSince ??= this.ticks();
    this.unclassified = kind === 'unclassified' ? this.unclassified + 1 : 0;
    const reason = this.reasonToReplace(kind === 'poisoned', error, begun);
    if (reason !== undefined) this.replace(`${reason}${String(error)}`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client.close();
  }

  private reasonToReplace(isPoisoned: boolean, error: unknown, begun: Milliseconds): string | undefined {
    if (isPoisoned) return '';
    if (this.unclassified >= UNCLASSIFIED_IN_A_ROW) return 'twice in a row: ';
    const now = this.ticks();
    if (now - this.failingSince! >= WITHOUT_SUCCESS_MS) return 'no success for 30 s: ';
    // Only our own timer raises this error here: the server answered neither this call nor a later one.
    const isSilent =
      error instanceof UnavailableError && now - begun >= SILENT_MS && this.answeredAt <= begun;
    return isSilent ? 'silent: ' : undefined;
  }

  private replace(reason: string): void {
    this.client.close().catch(() => undefined);
    this.client = this.options.make();
    this.answeredAt = this.ticks();
    this.resetCounts();
    this.options.replaced(reason);
  }

  private resetCounts(): void {
    this.unclassified = 0;
    this.failingSince = undefined;
  }
}
