import { randomUUID } from 'node:crypto';
import { Server } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { appendTo } from './append-service.js';
import { batchAppendTo } from './batch-append-service.js';
import { clusterInfo, supportedMethods } from './cluster-services.js';
import type { Injected, ServerOptions, Stored } from './control.js';
import { nothingCounted, type Counters } from './counters.js';
import { deleteFrom, tombstoneIn } from './delete-service.js';
import { EventLog } from './event-log.js';
import { FaultSwitches } from './faults.js';
import { Listener } from './listener.js';
import type { NodeState } from './node-state.js';
import { readFrom } from './read-service.js';
import type { Drop } from './subscription.js';

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

/** One EventStoreDB node in this process: its data outlives its listening. */
export class EventStoreNode {
  readonly state: NodeState;
  private listener: Listener | undefined;
  private port = 0;

  constructor(private readonly options: ServerOptions) {
    this.state = {
      log: new EventLog(),
      faults: new FaultSwitches(),
      counted: nothingCounted(),
      subscriptions: new Set(),
      maxAppendBytes: options.maxAppendBytes,
    };
    if (options.systemEvents) this.writeSystemEvents();
  }

  /** On the same port as before, if there was one. */
  async listen(): Promise<number> {
    if (this.listener) return this.port;
    this.listener = new Listener(this.services());
    this.port = await this.listener.listen(this.port);
    return this.port;
  }

  /** As when the process is killed: connections break, data stays, what was in memory only is gone. */
  goDown(): void {
    this.listener?.close();
    this.listener = undefined;
    this.state.log.forget();
  }

  /** Breaks all connections and listens on. */
  dropConnections(): void {
    this.listener?.breakConnections();
  }

  dropSubscriptions(how: Drop): number {
    const open = [...this.state.subscriptions];
    for (const subscription of open) subscription.drop(how);
    return open.length;
  }

  counters(): Counters {
    const { counted, faults, log } = this.state;
    return { ...counted, hanging: faults.hanging, events: log.length };
  }

  inject(events: readonly Injected[]): Stored[] {
    const { log } = this.state;
    const stored = events.map((event) => {
      const stream = log.streamNamed(event.stream);
      const ordinal = log.store(stream, {
        id: event.id ?? randomUUID(),
        type: event.type,
        contentType: event.contentType ?? 'application/json',
        data: bytes(event.data),
        metadata: bytes(event.metadata ?? ''),
      });
      return { revision: stream.ordinals.length - 1, position: log.positionAt(ordinal) };
    });
    log.wake();
    return stored;
  }

  private services(): Server {
    const server = new Server({
      'grpc.max_receive_message_length': 16 * MIB, // source: TFConsts.EffectiveMaxLogRecordSize
      'grpc.max_concurrent_streams': this.options.maxConcurrentStreams, // source: Kestrel, Http2.MaxStreamsPerConnection
    });
    server.addService(streamsService, {
      append: appendTo(this.state),
      batchAppend: batchAppendTo(this.state),
      read: readFrom(this.state),
      delete: deleteFrom(this.state),
      tombstone: tombstoneIn(this.state),
    });
    server.addService(ServerFeaturesService, { getSupportedMethods: supportedMethods(this.state) });
    server.addService(GossipService, { read: clusterInfo(this.state, () => this.port) });
    return server;
  }

  /** A real `$all` begins with events of the system, and more come between. source: MonitoringService, every 30 s */
  private writeSystemEvents(): void {
    const stats = '$stats-127.0.0.1:2113';
    this.inject([
      { stream: `$$${stats}`, type: '$metadata', data: '{"$maxAge":86400}' },
      { stream: stats, type: '$statsCollected', data: '{"proc-id":1}' },
    ]);
  }
}

const bytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;
