import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Milliseconds } from '../../kernel/time.js';
import { kindOf } from './failures.js';

const UNCLASSIFIED_IN_A_ROW = 2;
const WITHOUT_SUCCESS_MS: Milliseconds = 30_000;

/** How long ago, by a clock that only goes forward. */
export type Ticks = () => Milliseconds;

/**
 * Keeps a client and replaces it when it will not recover: it keeps failed promises for ever (F4, F5). A client that
 * the server merely cannot be reached through recovers by itself.
 */
export class ClientHolder {
  private client: EventStoreDBClient;
  private unclassified = 0;
  private failingSince: Milliseconds | undefined;
  /** The client had an answer, so that it has a connection. */
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

  /** @throws what the work throws */
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

/** Ends the streams of a client and its connection, which `dispose` leaves open; asking for one would make one. */
async function release(client: EventStoreDBClient, connected: boolean): Promise<void> {
  await client.dispose();
  if (!connected) return;
  const channel = await client['getChannel']().catch(() => undefined);
  channel?.close();
}
