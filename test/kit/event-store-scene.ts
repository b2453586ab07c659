import {
  binaryEvent,
  EventStoreDBClient,
  jsonEvent,
  type AllStreamSubscription,
  type StreamSubscription,
} from '@eventstore/db-client';
import { EventEmitter, once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { startEventStoreServer, type EventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';

/** Credentials with the call make the client use the unary append, the only one here. */
export const unary = { username: 'admin', password: 'changeit' };

export const noted = (n: number, id: string = randomUUID()) =>
  jsonEvent({ id, type: 'Noted', data: { n }, metadata: { actor: 'test' } });

export const bytesOf = (size: number) =>
  binaryEvent({ type: 'Filled', data: Buffer.alloc(size), metadata: { actor: 'test' } });

/** One server for a spec file, healthy before each test, and a client of its own for each test. */
export function serverScene() {
  const scene = {} as { server: EventStoreServer; client: EventStoreDBClient };
  beforeAll(async () => void (scene.server = await startEventStoreServer()));
  afterAll(() => scene.server.stop());
  beforeEach(async () => {
    await scene.server.faults.clear();
    scene.client = clientOf(scene.server.url);
  });
  afterEach(() => scene.client.dispose());
  return scene;
}

export const clientOf = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

export const newStream = (): string => `note-${randomUUID()}`;

/** What an iteration gives, as far as the test looks at it. */
export async function all<T, R>(source: AsyncIterable<T>, look: (item: T) => R): Promise<R[]> {
  const found: R[] = [];
  for await (const item of source) found.push(look(item));
  return found;
}

/** The error that a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<Record<string, unknown>> =>
  promise.then(
    () => Promise.reject(new Error('it was not rejected')),
    (error: Record<string, unknown>) => error,
  );

/** What is listened to on subscriptions of both kinds. */
interface Heard {
  on(event: 'confirmation' | 'caughtUp' | 'end', listener: () => void): this;
  on(event: 'error', listener: (error: { type?: string }) => void): this;
  on(event: 'data', listener: (read: { event?: { type: string; data: { n?: number } } }) => void): this;
}

/** All that a subscription says, in order, as short texts. */
export class Told {
  readonly texts: string[] = [];
  private readonly news = new EventEmitter();

  constructor(subscription: AllStreamSubscription | StreamSubscription) {
    (subscription as Heard)
      .on('confirmation', () => this.tell('confirmed'))
      .on('caughtUp', () => this.tell('caught up'))
      .on('error', ({ type }: { type?: string }) => this.tell(`error ${type}`))
      .on('end', () => this.tell('end'))
      .on('data', ({ event }) => this.tell(`${event?.type} ${event?.data.n}`));
  }

  tell(text: string): void {
    this.texts.push(text);
    this.news.emit('news');
  }

  async until(text: string): Promise<void> {
    while (!this.texts.includes(text)) await once(this.news, 'news');
  }
}
