import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { v7 } from 'uuid';
import { SqliteEventArchive } from '../../../src/event-sourcing/embedded/sqlite-event-archive.js';
import { ArchivedEventStore } from '../../../src/event-sourcing/servers/archive/archived-event-store.js';
import { ArchiveManifest } from '../../../src/event-sourcing/servers/archive/archive-manifest.js';
import { EventStoreDb } from '../../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { plus } from '../../../src/kernel/time.js';
import { begin, burnt, closed, moved, written } from '../../contract/sample-appends.js';
import { anySeed, countOf } from '../../kit/length.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { Random } from '../../kit/random.js';
import { NOON } from '../../kit/recorded.js';
import { lifeOfProgram } from './kit/killed-program.js';
import {
  startEventStoreServer,
  type EventStoreServer,
} from '../../stand-ins/eventstore/eventstore-server.js';

const NOTES_A_ROUND = 120;
const DAY_MS = 86_400_000;
const kills = countOf('ARCHIVE_KILLS', { short: 4, long: 5, soak: 400 });
const built = (file: string) => JSON.stringify(pathToFileURL(resolve('dist/src/event-sourcing', file)).href);

describe(`${kills} kills at random while events move to the archive`, () => {
  const seed = anySeed();
  const random = new Random(seed);
  let server: EventStoreServer;
  let folder: string;
  let events: ArchivedEventStore;
  let archive: SqliteEventArchive;
  beforeAll(async () => {
    if (!existsSync('dist/src/event-sourcing/servers/archive/archiving.js'))
      throw new Error('run `npm run build` first');
    server = await startEventStoreServer();
    folder = mkdtempSync(join(tmpdir(), 'rps-folder-'));
    writeFileSync(join(folder, '.rps-archive'), '');
    const remote = EventStoreDb.open({ url: server.url, timeoutMs: 30_000 });
    archive = new SqliteEventArchive(folder);
    events = new ArchivedEventStore(remote, {
      ...{ archive, manifest: new ArchiveManifest(remote), over: ['NoteBurnt'] },
      clock: new ManualClock(),
    });
  });
  afterAll(async () => {
    archive.close();
    await events.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const end = () =>
    Array.from({ length: NOTES_A_ROUND }, () =>
      begin(`note-${v7()}`, written(), moved('out'), closed(), burnt()),
    );
  const all = () => events.readAll({ max: 1_000_000 });

  it(
    `lose no event and show none twice (seed ${seed})`,
    async () => {
      let interrupted = 0;
      let whole = 0;
      for (let n = 0; n <= kills; n++) {
        await events.appendInOrder(end(), { anyOrder: true });
        const expected = await all();
        expect(expected).toHaveLength((n + 1) * NOTES_A_ROUND * 4);
        const lived = await lifeOf(n, n === 0 ? undefined : random.next() * whole * 1.1);
        if (lived === 'killed') interrupted++;
        else whole = Math.max(whole, lived);
        expect(await all()).toEqual(expected);
        if (n % 3 === 0) await server.scavenge();
        expect(await all()).toEqual(expected);
      }
      const expected = await all();
      await lifeOf(kills + 1, undefined);
      await lifeOf(kills + 2, undefined);
      expect(await server.scavenge()).toBeGreaterThanOrEqual((kills + 1) * NOTES_A_ROUND * 3);
      expect(await all()).toEqual(expected);
      expect(interrupted).toBeGreaterThan(0);
      expect(readdirSync(folder).length).toBeGreaterThan(kills);
    },
    20 * 60_000,
  );

  const lifeOf = (day: number, killAfterMs: number | undefined) => lifeOfProgram(program(day), killAfterMs);

  function program(day: number): string {
    const rule = { before: plus(NOON, day * DAY_MS), categories: [], over: ['NoteBurnt'] };
    return `
      import { SqliteEventArchive } from ${built('embedded/sqlite-event-archive.js')};
      import { Archiving } from ${built('servers/archive/archiving.js')};
      import { EventStoreDb } from ${built('servers/eventstoredb/event-store-db.js')};
      const events = EventStoreDb.open({ url: ${JSON.stringify(server.url)}, timeoutMs: 30_000 });
      const archive = new SqliteEventArchive(${JSON.stringify(folder)});
      console.log('working');
      await new Archiving({ events, archive, streamsAFile: 50 }).run(${JSON.stringify(rule)});
      await events.close();`;
  }
});
