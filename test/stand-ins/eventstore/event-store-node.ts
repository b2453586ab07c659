import { Server } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { clusterInfo, supportedMethods, type Member } from './cluster-services.js';
import { Listener } from './listener.js';
import type { EndPoint, NodeState } from './node-state.js';
import { readFrom } from './read-service.js';
import { Relay } from './relay.js';
import { appendTo, deleteFrom, tombstoneIn } from './write-service.js';

const MIB = 1024 * 1024;

/** Events are stored as the bytes they are read as. */
const streamsService = {
  ...StreamsService,
  read: {
    ...StreamsService.read,
    responseSerialize: ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
      Buffer.from(buffer, byteOffset, length),
  },
};

export interface NodeOptions {
  readonly maxConcurrentStreams: number;
  readonly members: () => readonly Member[];
  /** Can be frozen apart from the other members of this process. */
  readonly freezable: boolean;
}

/** One member, in this process: its data outlives its listening. */
export class EventStoreNode {
  private listener: Listener | undefined;
  private relay: Relay | undefined;
  private frozen = false;

  constructor(
    readonly state: NodeState,
    private port: number,
    private readonly options: NodeOptions,
  ) {}

  get endPoint(): EndPoint {
    return { host: '127.0.0.1', port: this.port };
  }

  get answers(): boolean {
    return this.listener !== undefined && !this.frozen;
  }

  /** On the same port as before, if there was one. */
  async listen(): Promise<void> {
    if (this.listener) return;
    this.listener = new Listener(this.services(), this.state.version.gzip);
    const inner = await this.listener.listen(this.options.freezable ? 0 : this.port);
    if (this.options.freezable) this.relay = new Relay(inner);
    this.port = this.relay ? await this.relay.listen(this.port) : inner;
  }

  /** As when the process is killed: connections break, data stays. */
  goDown(): void {
    this.relay?.close();
    this.listener?.close();
    this.listener = undefined;
    this.relay = undefined;
    this.frozen = false;
  }

  /** Breaks all connections and listens on. */
  dropConnections(): void {
    this.listener?.breakConnections();
  }

  endCalls(): void {
    this.listener?.endCalls();
  }

  freeze(): void {
    if (!this.relay) throw new Error('one member alone is frozen as a process');
    this.frozen = true;
    this.relay.freeze();
  }

  thaw(): void {
    this.frozen = false;
    this.relay?.thaw();
  }

  private services(): Server {
    const server = new Server({
      'grpc.max_receive_message_length': 16 * MIB, // source: TFConsts.EffectiveMaxLogRecordSize
      'grpc.max_concurrent_streams': this.options.maxConcurrentStreams, // source: Kestrel, Http2.MaxStreamsPerConnection
    });
    server.addService(streamsService, {
      append: appendTo(this.state),
      read: readFrom(this.state),
      delete: deleteFrom(this.state),
      tombstone: tombstoneIn(this.state),
    });
    server.addService(ServerFeaturesService, { getSupportedMethods: supportedMethods(this.state) });
    server.addService(GossipService, { read: clusterInfo(this.state, this.options.members) });
    return server;
  }
}
