import { SqliteEventArchive } from '../../src/event-sourcing/embedded/sqlite-event-archive.js';
import { ArchivedEventStore } from '../../src/event-sourcing/servers/archive/archived-event-store.js';
import { ArchiveManifest } from '../../src/event-sourcing/servers/archive/archive-manifest.js';
import { Archiving } from '../../src/event-sourcing/servers/archive/archiving.js';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { ServerStoredTexts } from '../../src/event-sourcing/servers/eventstoredb/log-reader.js';
import type { SubscribeOptions } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { plus } from '../../src/kernel/time.js';
import { Faults } from '../kit/faults.js';
import { ManualClock } from '../kit/manual-clock.js';
import { NOON } from '../kit/recorded.js';

export const DAY_MS = 86_400_000;
export const RULE = { before: NOON, categories: [], over: ['NoteBurnt'] };
export const TOMORROW = { ...RULE, before: plus(NOON, DAY_MS) };

/** One instance on an event store and a folder that others may share. */
export class Instance {
  readonly faults: Faults<EventStoreDb>;
  readonly archive: SqliteEventArchive;
  readonly events: ArchivedEventStore;
  readonly texts: ServerStoredTexts;
  readonly manifest: ArchiveManifest;
  readonly clock = new ManualClock();

  constructor(url: string, folder: string, streamsAFile = 100) {
    this.faults = new Faults(EventStoreDb.open({ url, timeoutMs: 30_000 }));
    this.archive = new SqliteEventArchive(folder);
    this.manifest = new ArchiveManifest(this.faults.port);
    const options = { archive: this.archive, manifest: this.manifest, over: RULE.over, clock: this.clock };
    this.events = new ArchivedEventStore(this.faults.port, options);
    this.texts = new ServerStoredTexts(this.events);
    const { archive, faults } = this;
    const archiving = new Archiving({ events: faults.port, archive, streamsAFile });
    this.run = (rule = RULE, signal) => archiving.run(rule, signal);
  }

  readonly run: (rule?: typeof RULE, signal?: AbortSignal) => Promise<number>;

  async readAll(page: number): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (;;) {
      const after = found.at(-1)?.position;
      const events = await this.events.readAll({ ...(after && { after }), max: page });
      found.push(...events);
      if (events.length < page) return found;
    }
  }

  async subscribed(options: Omit<SubscribeOptions, 'signal'>): Promise<RecordedEvent[]> {
    const { signal } = new AbortController();
    const found: RecordedEvent[] = [];
    for await (const { events, position, caughtUp } of this.events.subscribe({ ...options, signal })) {
      found.push(...events);
      if (events.length > 0) expect(position! >= events.at(-1)!.position).toBe(true);
      if (caughtUp) return found;
    }
    return found;
  }

  /** By every way to read. */
  async everything(streams: readonly string[]) {
    const all = await this.readAll(1_000);
    return {
      all,
      inSmallPages: await this.readAll(3),
      subscribed: await this.subscribed({ max: 2 }),
      streams: await Promise.all(streams.map((name) => this.events.load(name))),
      texts: (await this.texts.after(undefined, 1_000)).texts,
      at: await this.texts.at(all.map(({ position }) => position)),
    };
  }

  async close(): Promise<void> {
    this.archive.close();
    await this.events.close();
  }
}
