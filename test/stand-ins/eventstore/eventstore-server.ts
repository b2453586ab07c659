import { StandInProcess } from '../child.js';
import type { Commands, Injected, ServerOptions, Stored } from './control.js';
import type { Counters } from './counters.js';
import { healthy, type Faults } from './faults.js';
import type { Drop } from './subscription.js';

/**
 * An EventStoreDB of tests in a process of its own: the real protocol, an empty memory, faults on demand. It is held to
 * the recordings of real servers in test/recordings; what goes beyond them was read in the server's source, at the
 * places named. Not here: TLS and users, links, projections, persistent subscriptions, batch appends, subscriptions to
 * one stream.
 */
export async function startEventStoreServer(options: Partial<ServerOptions> = {}): Promise<EventStoreServer> {
  return new EventStoreServer(await StandInProcess.start<Commands>('eventstoredb', options));
}

export class EventStoreServer {
  constructor(private readonly process: StandInProcess<Commands>) {}

  get url(): string {
    return this.process.url;
  }

  /** Of a single server. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.process.pid;
  }

  readonly faults = {
    /** Resolves when the changes are in force. */
    set: (changes: Partial<Faults>): Promise<void> => this.process.ask('set', changes),
    clear: (): Promise<void> => this.process.ask('set', healthy),
  };

  counters(): Promise<Counters> {
    return this.process.ask('counters');
  }

  /** Puts an event into the log past all checks, to be read and delivered like any other. */
  async inject(event: Injected): Promise<Stored> {
    const [stored] = await this.injectAll([event]);
    return stored!;
  }

  injectAll(events: readonly Injected[]): Promise<readonly Stored[]> {
    return this.process.ask('inject', events);
  }

  /** Breaks all connections, forgets what a process keeps in memory only, and listens again on the same port. */
  async restart(): Promise<void> {
    await this.goDown();
    await this.comeBack();
  }

  /** Connections are refused until it comes back. */
  goDown(): Promise<void> {
    return this.process.ask('goDown');
  }

  /** Members that were killed or frozen come back too, as followers. */
  comeBack(): Promise<void> {
    return this.process.ask('listen');
  }

  /** See Commands for what happens; `leaderPort` waits for the outcome. */
  readonly elections = {
    elect: (): Promise<void> => this.process.ask('elect'),
    killLeader: (): Promise<void> => this.process.ask('killLeader'),
    freezeLeader: (): Promise<void> => this.process.ask('freezeLeader'),
    leaderPort: (): Promise<number> => this.process.ask('leaderPort'),
  };

  scavenge(): Promise<number> {
    return this.process.ask('scavenge');
  }

  commitNext(): Promise<void> {
    return this.process.ask('commitNext');
  }

  /** As of a server that stops in order: open calls end without a status. */
  endCalls(): Promise<void> {
    return this.process.ask('endCalls');
  }

  /** Ends each open subscription; answers how many there were. */
  dropSubscriptions(how: Drop): Promise<number> {
    return this.process.ask('dropSubscriptions', how);
  }

  /** Breaks all connections at once and listens on. */
  dropAll(): Promise<void> {
    return this.process.ask('dropConnections');
  }

  /** Nothing is answered, not even a ping, and connections stay. Questions of the parent wait as well. */
  freeze(): void {
    this.process.freeze();
  }

  thaw(): void {
    this.process.thaw();
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}
