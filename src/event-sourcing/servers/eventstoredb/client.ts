import { EventStoreDBClient } from '@eventstore/db-client';
import { connectivityState, experimental, type Channel, type Metadata } from '@grpc/grpc-js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { ClientSettings } from './connection-string.js';

/** A client of the event store, and every connection it has made. */
export interface Client {
  readonly calls: EventStoreDBClient;
  /** Whether a server has answered on a connection that is still open. */
  readonly isConnected: boolean;
  /** Cancels its calls and closes its connections, also one that is still being made. */
  close(): Promise<void>;
}

/**
 * Limit for a node of a cluster, because grpc-js waits forever for the first answer of a frozen one. A single server has
 * no limit, because there is no other to try.
 */
const CONNECTED_WITHIN_MS: Milliseconds = 1_000;

/**
 * A client whose connections detect a silent server within `keepAlive` and are not compressed. The client offers no
 * options for either, so its channels are changed right after they were made, before their first call.
 * @param connection grpc-js shares a connection between channels with equal options, so clients of different names have
 * connections of their own
 */
export function openClient({ url, keepAlive, isCluster }: ClientSettings, connection: string): Client {
  const calls = EventStoreDBClient.connectionString(url);
  const channels = new Set<Channel>();
  const closing = new AbortController();
  const handleError = calls['handleError'];
  // The client does not wait for it, and it fails with the connection that it waits for: that failure is the call's own.
  calls['handleError'] = (failed, error) => handleError(failed, error).catch(() => undefined);
  const create = calls['createChannel'] as () => Promise<Channel>;
  calls['createChannel'] = async () => {
    const channel = await create();
    const internals = internalsOf(channel);
    internals.filterStackFactory.factories.push({ createFilter: () => new DeclineCompression() });
    internals.keepaliveTime = keepAlive.intervalMs;
    Object.assign(internals.options, {
      'grpc.keepalive_time_ms': keepAlive.intervalMs,
      'grpc.keepalive_timeout_ms': keepAlive.timeoutMs,
      'rps.connection': connection,
    });
    for (const old of channels) if (old.getConnectivityState(false) === SHUTDOWN) channels.delete(old);
    channels.add(channel);
    if (closing.signal.aborted) channel.close();
    else if (isCluster) await connected(channel, closing.signal);
    return channel;
  };
  return {
    calls,
    get isConnected() {
      return [...channels].some((channel) => channel.getConnectivityState(false) === READY);
    },
    async close() {
      closing.abort();
      await calls.dispose();
      for (const channel of channels) channel.close();
    },
  };
}

const { READY, TRANSIENT_FAILURE, SHUTDOWN } = connectivityState;
const SETTLED: ReadonlySet<connectivityState> = new Set([READY, TRANSIENT_FAILURE, SHUTDOWN]);

/** Resolves for a refused connection too: its calls fail at once. @throws UnansweredConnectionError */
function connected(channel: Channel, closing: AbortSignal): Promise<void> {
  const until = Date.now() + CONNECTED_WITHIN_MS;
  return new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      reject(new UnansweredConnectionError(channel.getTarget()));
      channel.close();
    };
    const look = (late?: Error) => {
      const state = channel.getConnectivityState(true);
      if (!SETTLED.has(state) && late) return giveUp();
      if (!SETTLED.has(state)) return channel.watchConnectivityState(state, until, look);
      closing.removeEventListener('abort', giveUp);
      resolve();
    };
    // A closed channel calls no watcher.
    closing.addEventListener('abort', giveUp);
    look();
  });
}

/** The client keeps the failed promise of its connection, so it is of no more use. */
export class UnansweredConnectionError extends Error {
  constructor(target: string) {
    super(`no connection established: no answer from ${target} within ${CONNECTED_WITHIN_MS} ms`);
  }
}

/**
 * KurrentDB compresses every message from 25.1 on if the client offers it, and grpc-js always offers it and has no
 * option against it (grpc/grpc-node pull request 1952; grpc-go has one since its pull request 8718). Unpacking costs
 * four times the CPU of the message itself, and each message arrives in its own turn of the event loop.
 */
class DeclineCompression extends experimental.BaseFilter {
  override async sendMetadata(metadata: Promise<Metadata>): Promise<Metadata> {
    const headers = await metadata;
    headers.set('grpc-accept-encoding', 'identity');
    return headers;
  }
}

/** Private parts of a channel of grpc-js 1.x; `client.spec.ts` fails when they change. */
interface ChannelInternals {
  readonly options: Record<string, unknown>;
  /** The shortest interval of its connections. */
  keepaliveTime: Milliseconds;
  /** The last factory makes the last filter, behind the one that offers compression. */
  readonly filterStackFactory: { readonly factories: { createFilter(): DeclineCompression }[] };
}

function internalsOf(channel: Channel): ChannelInternals {
  return (channel as unknown as { readonly internalChannel: ChannelInternals }).internalChannel;
}

/**
 * Makes the clients that follow each other under one name. The next one gets a connection of its own, unless the last
 * one has none: then it waits on the same attempt, which a frozen server answers when it goes on.
 */
export function clientMaker(settings: ClientSettings, name: string): () => Client {
  let generation = 0;
  let last: Client | undefined;
  return () => {
    if (last?.isConnected) generation += 1;
    last = openClient(settings, `${name} ${generation}`);
    return last;
  };
}
