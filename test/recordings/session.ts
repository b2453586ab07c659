import { randomUUID } from 'node:crypto';
import {
  credentials,
  Metadata,
  status,
  type ClientReadableStream,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { plain, type Plain, type Shown } from './plain.js';

const CALL_MS = 20_000;
/** What every answer has, whatever was asked. */
const TRANSPORT = [
  ...['date', 'server', 'content-type', 'content-length', 'transfer-encoding', 'grpc-encoding'],
];

export interface Failure {
  readonly error: string;
  readonly details: string;
  readonly trailers: Readonly<Record<string, string>>;
}

/** Of a call with one answer. `raw` is not written down. */
export interface Answered<T> extends Partial<Failure> {
  readonly answer?: Plain;
  readonly raw?: T;
}

/** Of a call with many. */
export interface Heard {
  readonly messages: readonly Shown[];
  readonly end: 'ended' | 'closed by us' | 'still open' | Failure;
}

export interface Listening {
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the call when true, asked after each message. */
  readonly until?: (messages: readonly ReadResp[]) => boolean;
  /** Called after each message. */
  readonly during?: (messages: readonly ReadResp[]) => void;
  readonly ms?: number;
}

/** One conversation with a server, under a prefix of its own. */
export class Session {
  readonly prefix = randomUUID();
  /** Work beside a call, waited for before the conversation ends. */
  readonly background: Promise<unknown>[] = [];
  readonly streams: StreamsClient;
  readonly features: ServerFeaturesClient;
  readonly gossip: GossipClient;

  /** @param address host:port */
  constructor(address: string) {
    const options = { 'grpc.max_receive_message_length': 64 << 20 };
    this.streams = new StreamsClient(address, credentials.createInsecure(), options);
    this.features = new ServerFeaturesClient(address, credentials.createInsecure(), options);
    this.gossip = new GossipClient(address, credentials.createInsecure(), options);
  }

  close(): void {
    for (const client of [this.streams, this.features, this.gossip]) client.close();
  }

  /** Runs one call with one answer. */
  ask<T extends { toObject(): object }>(
    send: (
      metadata: Metadata,
      options: { deadline: number },
      done: (error: ServiceError | null, answer?: T) => void,
    ) => unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered<T>> {
    return new Promise((resolve) =>
      send(metadataOf(headers), { deadline: Date.now() + CALL_MS }, (error, answer) =>
        resolve(error ? failureOf(error) : { answer: plain(answer!.toObject()) as Plain, raw: answer! }),
      ),
    );
  }

  /** Reads until the call ends, `until` says so or the time is over. */
  read(
    request: ReadReq,
    { headers = {}, until = () => false, during, ms = CALL_MS }: Listening,
  ): Promise<Heard> {
    return new Promise((resolve) => {
      const messages: ReadResp[] = [];
      const call: ClientReadableStream<ReadResp> = this.streams.read(request, metadataOf(headers));
      let over = false;
      const end = (how: Heard['end']) => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        call.cancel();
        resolve({ messages: messages.map((message) => plain(message.toObject()) as Shown), end: how });
      };
      const timer = setTimeout(() => end('still open'), ms);
      call.on('data', (message: ReadResp) => {
        messages.push(message);
        during?.(messages);
        if (until(messages)) end('closed by us');
      });
      call.on('end', () => end('ended'));
      call.on('error', (error: ServiceError) => end(failureOf(error)));
    });
  }
}

function metadataOf(headers: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

function failureOf({ code, details, metadata }: StatusObject): Failure {
  const trailers = Object.entries(metadata.getMap())
    .filter(([name]) => !TRANSPORT.includes(name))
    .map(([name, value]) => [name, Buffer.isBuffer(value) ? '<bytes>' : String(value)]);
  return {
    error: status[code],
    details: details.replace(/\b(pos|checkpoint) \d+/g, '$1 <number>'),
    trailers: Object.fromEntries(trailers) as Record<string, string>,
  };
}
