import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import type { StandIn } from '../stand-in.js';
import type { Member } from './cluster-services.js';
import type { Commands, Injected, ServerOptions } from './control.js';
import { nothingCounted, type Counters } from './counters.js';
import { EventLog } from './event-log.js';
import { EventStoreNode } from './event-store-node.js';
import { FaultSwitches, healthy } from './faults.js';
import { Subscription, type Drop } from './subscription.js';
import { versionNamed } from './versions.js';

const DEFAULTS: ServerOptions = {
  port: 0,
  members: 1,
  like: '23.10.8',
  maxConcurrentStreams: 100,
  systemEvents: true,
};

/** In this process. */
export async function startEventStore(options: Partial<ServerOptions>): Promise<StandIn> {
  const cluster = new EventStoreCluster({ ...DEFAULTS, ...options });
  await cluster.listen();
  return { url: cluster.url, controls: cluster.controls, close: () => cluster.goDown() };
}

/** Members that share one log; the first one leads. One member is a single server. */
class EventStoreCluster {
  private readonly faults = new FaultSwitches();
  private readonly log = new EventLog(() => this.faults.now.commitMs);
  private readonly counted = nothingCounted();
  private readonly subscriptions = new Set<Subscription>();
  private readonly nodes: readonly EventStoreNode[];
  /** Undefined during an election, and while too few members answer. */
  private leader: EventStoreNode | undefined;
  private elections = 0;
  private readonly awaitingLeader = new Set<() => void>();

  constructor(options: ServerOptions) {
    const { like, members, port, maxAppendBytes, maxConcurrentStreams } = options;
    const version = { ...versionNamed(like), ...(maxAppendBytes !== undefined && { maxAppendBytes }) };
    const { log, faults, counted, subscriptions } = this;
    this.nodes = Array.from({ length: members }, (_, n) => {
      const state = { log, faults, counted, subscriptions, version, standing: 'electing' as const };
      const nodeOptions = { maxConcurrentStreams, members: () => this.members(), freezable: members > 1 };
      return new EventStoreNode(state, port && port + n, nodeOptions);
    });
    if (options.systemEvents) this.writeSystemEvents();
  }

  get url(): string {
    const addresses = this.nodes.map(({ endPoint: { host, port } }) => `${host}:${port}`);
    return `esdb://${addresses.join()}?tls=false`;
  }

  readonly controls: Commands = {
    set: (changes) => this.faults.set(changes),
    clear: () => this.faults.set(healthy),
    counters: () => this.counters(),
    injectAll: (events) => this.inject(events),
    alter: (stream, revision, from, to) => this.log.alter(stream, revision, from, to),
    goDown: () => this.goDown(),
    comeBack: () => this.listen(),
    restart: () => this.restart(),
    dropSubscriptions: (how) => this.dropSubscriptions(how),
    dropAll: () => this.nodes.forEach((node) => node.dropConnections()),
    endCalls: () => this.nodes.forEach((node) => node.endCalls()),
    scavenge: () => this.log.scavenge(),
    commitNext: () => this.log.commitNext(),
    elect: () => this.loseLeader((leader) => leader.dropConnections(), 0),
    killLeader: () => this.loseLeader((leader) => this.kill(leader), 0),
    freezeLeader: () => this.loseLeader((leader) => leader.freeze(), this.faults.now.noticeMs),
    leaderPort: () => this.leaderPort(),
  };

  async listen(): Promise<void> {
    for (const node of this.nodes) {
      node.thaw();
      await node.listen();
    }
    if (this.elections === 0) this.lead(this.leader ?? this.nodes[0]!);
  }

  goDown(): void {
    for (const node of this.nodes) this.kill(node);
  }

  private async restart(): Promise<void> {
    this.goDown();
    await this.listen();
  }

  private kill(node: EventStoreNode): void {
    node.goDown();
    this.log.forget();
  }

  private loseLeader(lose: (leader: EventStoreNode) => void, noticeMs: number): void {
    const old = this.leader;
    if (!old) throw new Error('nobody leads');
    lose(old);
    void this.elect(old, Math.max(noticeMs, this.faults.now.electionMs / 10));
  }

  /** The others still name the old leader until they notice, and are not ready until they have elected another. */
  private async elect(old: EventStoreNode, noticeMs: number): Promise<void> {
    this.elections += 1;
    await passed(noticeMs);
    this.lead(undefined);
    await passed(this.faults.now.electionMs);
    this.elections -= 1;
    const voters = this.nodes.filter((node) => node.answers);
    if (voters.length * 2 <= this.nodes.length) return;
    this.lead(voters.find((node) => node !== old) ?? old);
  }

  private lead(leader: EventStoreNode | undefined): void {
    this.leader = leader;
    for (const { state } of this.nodes) state.standing = leader?.endPoint ?? 'electing';
    if (!leader) return;
    leader.state.standing = 'leader';
    for (const tell of this.awaitingLeader) tell();
    this.awaitingLeader.clear();
  }

  private async leaderPort(): Promise<number> {
    while (!this.leader?.answers) await new Promise<void>((resolve) => this.awaitingLeader.add(resolve));
    return this.leader.endPoint.port;
  }

  private members(): readonly Member[] {
    return this.nodes.map((node) => ({
      endPoint: node.endPoint,
      state: node === this.leader ? 'LEADER' : this.leader ? 'FOLLOWER' : 'UNKNOWN',
      isAlive: node.answers || node === this.leader,
    }));
  }

  private dropSubscriptions(how: Drop): number {
    const open = [...this.subscriptions];
    for (const subscription of open) subscription.drop(how);
    return open.length;
  }

  private counters(): Counters {
    const { counted, faults, log } = this;
    return { ...counted, hanging: faults.hanging, events: log.length };
  }

  private inject(events: readonly Injected[]) {
    return events.map(({ stream, id = randomUUID(), type, contentType, data, metadata = '' }) =>
      this.log.inject(stream, {
        ...{ id, type, contentType: contentType ?? 'application/json' },
        ...{ data: bytes(data), metadata: bytes(metadata) },
      }),
    );
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
