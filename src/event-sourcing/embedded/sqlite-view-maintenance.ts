import type { EventStore } from '../ports/event-store.port.js';
import { ViewMaintenance, type ViewStatus, type ViewVerification } from '../ports/view-store.port.js';
import type { Connection } from './connection.js';
import { ViewRegistry } from './view-registry.js';
import type { WriterClient } from './writer-client.js';

/** Views are written in the transaction of their events, so they never lag. */
export class SqliteViewMaintenance extends ViewMaintenance {
  private readonly registry: ViewRegistry;
  private verifying: Promise<readonly ViewVerification[]> | undefined;

  constructor(
    reader: Connection,
    private readonly events: EventStore,
    private readonly writer: WriterClient,
    private readonly runVerification: () => Promise<readonly ViewVerification[]>,
  ) {
    super();
    this.registry = new ViewRegistry(reader);
  }

  async check(): Promise<void> {
    this.registry.all();
  }

  async list(): Promise<readonly ViewStatus[]> {
    const position = await this.events.head();
    return this.registry.all().map(({ name, version }) => ({ name, version, position, lag: 0 }));
  }

  /** @throws RangeError for an unknown view */
  async rebuild(name: string): Promise<ViewStatus> {
    if (!this.registry.find(name)) throw new RangeError(`there is no view ${name}`);
    await this.writer.rebuild(name);
    return (await this.list()).find((status) => status.name === name)!;
  }

  verify(): Promise<readonly ViewVerification[]> {
    this.verifying ??= this.runVerification().finally(() => (this.verifying = undefined));
    return this.verifying;
  }
}
