import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Milliseconds } from '../../kernel/time.js';
import { kindOf } from './failures.js';

const UNCLASSIFIED_IN_A_ROW = 2;
const WITHOUT_SUCCESS_MS: Milliseconds = 30_000;

/** Monotonic clock. */
export type Ticks = () => Milliseconds;

/**
 * Holds a client and replaces it when it cannot recover because it caches failed promises (F4, F5). A client of an
 * unreachable server is kept: it recovers by itself.
 */
export class ClientHolder {
  private client: EventStoreDBClient;
  private unclassified = 0;
  private failingSince: Milliseconds | undefined;
  /** True after the first answer: the client has a connection. */
  private connected = false;

  constructor(
    private readonly make: () => EventStoreDBClient,
    private readonly replaced: (reason: string) => void,
    private readonly ticks: Ticks = () => performance.now(),
  ) {
    this.client = make();
  }

  get current(): EventStoreDBClient {
    return this.client;
  }

  /** Rethrows the error of `work`. */
  async run<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const { client } = this;
    try {
      const result = await work(client);
      this.succeeded(client);
      return result;
    } catch (error) {
      this.failed(client, error);
      throw error;
    }
  }

  succeeded(client: EventStoreDBClient): void {
    if (client !== this.client) return;
    this.connected = true;
    this.resetCounts();
  }

  failed(client: EventStoreDBClient, error: unknown): void {
    if (client !== this.client) return;
    const kind = kindOf(error);
    if (kind === 'answered') return this.succeeded(client);
    this.failingSince ??= this.ticks();
    this.unclassified = kind === 'unclassified' ? this.unclassified + 1 : 0;
    if (kind === 'poisoned') return this.replace(String(error));
    if (this.unclassified >= UNCLASSIFIED_IN_A_ROW) return this.replace(`twice in a row: ${String(error)}`);
    if (this.ticks() - this.failingSince >= WITHOUT_SUCCESS_MS)
      this.replace(`no success for 30 s: ${String(error)}`);
  }

  async close(): Promise<void> {
    await release(this.client, this.connected);
  }

  private replace(reason: string): void {
    void release(this.client, this.connected);
    this.client = this.make();
    this.connected = false;
    this.resetCounts();
    this.replaced(reason);
  }

  private resetCounts(): void {
    this.unclassified = 0;
    this.failingSince = undefined;
  }
}

/** Closes a client's connection too, which `dispose` leaves open. Without one, `getChannel` would open it. */
async function release(client: EventStoreDBClient, connected: boolean): Promise<void> {
  await client.dispose();
  if (!connected) return;
  const channel = await client['getChannel']().catch(() => undefined);
  channel?.close();
}
