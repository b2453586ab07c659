import { EventStoreDBClient } from '@eventstore/db-client';
import { connectivityState, experimental, Metadata, status, type Channel } from '@grpc/grpc-js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { ClientSettings } from './connection-string.js';

export interface Client {
  readonly calls: EventStoreDBClient;
  /** A server has answered on a connection that is still open. */
  readonly isConnected: boolean;
  /** Cancels calls and closes all connections, also a pending one. */
  close(): Promise<void>;
}

/** In a cluster, because grpc-js waits forever for the first answer of a frozen node. */
const CONNECTED_WITHIN_MS: Milliseconds = 1_000;

/**
 * Changes the channels, because the client lacks these options. @param connection unique: grpc-js shares
 * equal channels
 */
export function openClient({ url, keepAlive, isCluster }: ClientSettings, connection: string): Client {
  const calls = EventStoreDBClient.connectionString(url);
  const channels = new Set<Channel>();
  const closing = new AbortController();
  const handleError = calls['handleError'];
  // Not awaited by the client: it fails with the connection, whose failure is the call's own.
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
    const createCall = channel.createCall.bind(channel);
    channel.createCall = (...given) =>
      channel.getConnectivityState(false) === SHUTDOWN ? endedCall() : createCall(...given);
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

/** Of a closed channel, which throws: in an append, no one catches that, so the process would end. */
function endedCall(): ReturnType<Channel['createCall']> {
  const details = 'Channel closed before call started';
  const ended = { code: status.UNAVAILABLE, details, metadata: new Metadata() };
  const ignored = () => undefined;
  return {
    start: (_, listener) => process.nextTick(() => listener.onReceiveStatus(ended)),
    sendMessageWithContext: ({ callback }) => process.nextTick(() => callback?.()),
    ...{ cancelWithStatus: ignored, startRead: ignored, halfClose: ignored, setCredentials: ignored },
    ...{ getPeer: () => '', getCallNumber: () => 0, getAuthContext: () => null },
  };
}

/** The client caches the failed promise of its connection, so replace it. */
export class UnansweredConnectionError extends Error {
  constructor(target: string) {
    super(`no connection established: no answer from ${target} within ${CONNECTED_WITHIN_MS} ms`);
  }
}

/** grpc-js has no option against it (grpc/grpc-node#1952), and unpacking costs four times the CPU. */
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

/** Each client gets its own connection, unless the last one has none: both then wait for one attempt. */
export function clientMaker(settings: ClientSettings, name: string): () => Client {
  let generation = 0;
  let last: Client | undefined;
  return () => {
    if (last?.isConnected) generation += 1;
    last = openClient(settings, `${name} ${generation}`);
    return last;
  };
}
