import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 } from 'uuid';
import { ArchivedEventStore } from '../../src/event-sourcing/servers/archive/archived-event-store.js';
import { ArchiveManifest } from '../../src/event-sourcing/servers/archive/archive-manifest.js';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { partitionOf, partitions } from '../../src/event-sourcing/ports/partitions.js';
import { CorruptEventError, UnavailableError } from '../../src/kernel/errors.js';
import { plus } from '../../src/kernel/time.js';
import { ManualClock } from '../kit/manual-clock.js';
import { metadata, NOON } from '../kit/recorded.js';
import { startEventStoreServer, type EventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { DAY_MS, Instance, RULE, TOMORROW } from './archive-instance.js';
import { begin, burnt, closed, goOn, moved, written } from './sample-appends.js';

describe('an archive beside the event store', () => {
  let server: EventStoreServer;
  let folder: string;
  let instance: Instance;
  let streams: string[];
  let before: Awaited<ReturnType<Instance['everything']>>;
  const ended = () => streams.slice(0, 3);
  const open = (streamsAFile?: number) => (instance = new Instance(server.url, folder, streamsAFile));
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.db'));
  const expectAsBefore = async (one = instance) => expect(await one.everything(streams)).toEqual(before);

  beforeEach(async () => {
    server = await startEventStoreServer();
    folder = mkdtempSync(join(tmpdir(), 'rps-archive-'));
    writeFileSync(join(folder, '.rps-archive'), '');
    open();
    streams = Array.from({ length: 5 }, () => `note-${v7()}`);
    const { events } = instance;
    for (const name of streams) await events.append(begin(name, written(name), moved('out')));
    for (const name of streams) await events.append(goOn(name, 1, closed()));
    for (const name of ended()) await events.append(goOn(name, 2, burnt()));
    before = await instance.everything(streams);
  });
  afterEach(async () => {
    await instance.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes streams that ended, and every read is as before', async () => {
    expect(before.all).toHaveLength(18);
    expect(await instance.run()).toBe(3);
    await expectAsBefore();
    expect(await server.scavenge()).toBeGreaterThanOrEqual(9);
    await expectAsBefore();
    const another = new Instance(server.url, folder);
    await expectAsBefore(another);
    expect(await another.run(TOMORROW)).toBe(0);
    await another.close();
    expect(files()).toEqual([expect.stringMatching(/^2026-11-21-[0-9a-f]{8}\.db$/)]);
    expect(statSync(join(folder, files()[0]!)).mode & 0o777).toBe(0o600);
  });

  it('reads any part of a stream, and goes on with it', async () => {
    await instance.run();
    await server.scavenge();
    const [name] = streams;
    const whole = before.streams[0]!;
    for (const from of [0, 1, 2, 3, 4])
      for (const max of [1, 2, 9])
        expect(await instance.events.load(name!, { from, max })).toEqual(whole.slice(from, from + max));
    await instance.events.append(goOn(name!, 3, moved('late')));
    expect((await instance.events.load(name!)).map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
    expect(await instance.events.load('note-unknown')).toEqual([]);
  });

  it('delivers archived events of the wanted types after a position', async () => {
    await instance.run();
    await server.scavenge();
    const wanted = before.all.filter(({ type }) => type !== 'NoteMoved');
    const types = ['NoteWritten', 'NoteClosed', 'NoteBurnt'];
    expect(await instance.subscribed({ max: 2, types })).toEqual(wanted);
    expect(await instance.subscribed({ max: 99, after: before.all[3]!.position })).toEqual(
      before.all.slice(4),
    );
    expect(await instance.subscribed({ max: 99, types: ['NoteMoved'] })).toHaveLength(5);
  });

  it.each(['readAll', 'load'] as const)('gives all events to a %s during which they move', async (read) => {
    const held = instance.faults.hold(read);
    const reading =
      read === 'load' ? instance.events.load(streams[0]!) : instance.events.readAll({ max: 99 });
    await held.reached;
    const other = new Instance(server.url, folder);
    await other.run();
    await server.scavenge();
    held.letGo();
    expect(await reading).toEqual(read === 'load' ? before.streams[0] : before.all);
    await other.close();
  });

  it('delivers to each partition its own streams', async () => {
    await instance.run();
    await server.scavenge();
    const parts = await Promise.all(
      partitions(2).map((partition) => instance.subscribed({ max: 2, partition })),
    );
    parts.forEach((part, index) =>
      expect(part).toEqual(before.all.filter(({ stream }) => partitionOf(stream, 2) === index)),
    );
  });

  it('ignores files that are not listed', async () => {
    writeFileSync(join(folder, '2026-11-20-00000000.db'), 'of a worker that lost the race');
    writeFileSync(join(folder, '2026-11-20-00000001.db.copying'), 'of a crash');
    expect(await instance.run()).toBe(3);
    await server.scavenge();
    await expectAsBefore();
  });

  it('makes one file a day, and leaves what ended later to the next', async () => {
    expect(await instance.run({ ...RULE, before: plus(NOON, -DAY_MS) })).toBe(0);
    expect(await instance.run()).toBe(3);
    const late = { ...burnt(), metadata: { ...metadata, at: plus(NOON, 1_000) } };
    await instance.events.append(goOn(streams[3]!, 2, late));
    expect(await instance.run()).toBe(0);
    expect(await instance.run({ ...RULE, before: plus(NOON, 22 * 3_600_000) })).toBe(0);
    expect(await instance.run(TOMORROW)).toBe(1);
    await server.scavenge();
    expect(await instance.readAll(4)).toHaveLength(19);
    expect(files()).toHaveLength(2);
  });

  it('divides many streams among files', async () => {
    open(2);
    expect(await instance.run()).toBe(3);
    await server.scavenge();
    expect(files()).toHaveLength(2);
    await expectAsBefore();
  });

  it.each([
    ['the file is listed', () => instance.faults.refuse('append')],
    ['the answer to the listing arrives', () => instance.faults.loseReply('append')],
    ['a stream is truncated', () => instance.faults.refuse('truncate', 3)],
    ['the other streams are truncated', () => instance.faults.loseReply('truncate')],
  ])('goes on after a stop before %s', async (_, stop) => {
    stop();
    await expect(instance.run()).rejects.toThrow(UnavailableError);
    await server.scavenge();
    await expectAsBefore();
    await instance.close();
    open();
    await expectAsBefore();
    await instance.run();
    expect(await server.scavenge()).toBeGreaterThanOrEqual(9);
    await expectAsBefore();
    expect(await instance.run(TOMORROW)).toBe(0);
  });

  it('is listed by one of two workers that write at once', async () => {
    const other = new Instance(server.url, folder);
    const held = other.faults.hold('append');
    const late = other.run();
    await held.reached;
    expect(await instance.run()).toBe(3);
    held.letGo();
    await expect(late).rejects.toThrow('expected');
    await server.scavenge();
    await expectAsBefore();
    await expectAsBefore(other);
    await other.close();
  });

  it('is finished by the next worker, whatever one that lost its lease still does', async () => {
    const other = new Instance(server.url, folder);
    const held = other.faults.hold('truncate');
    const late = other.run();
    await held.reached;
    expect(await instance.run()).toBe(0);
    expect(await server.scavenge()).toBeGreaterThanOrEqual(9);
    held.letGo();
    await expect(late).rejects.toThrow('expected');
    await expectAsBefore();
    await expectAsBefore(other);
    await other.close();
  });

  describe('that is damaged', () => {
    const path = () => join(folder, files()[0]!);
    const alter = (sql: string) => {
      const db = new Database(path());
      db.exec(sql);
      db.close();
    };
    beforeEach(async () => {
      await instance.run();
      await server.scavenge();
      instance.archive.close();
    });

    it('is an outage while it is missing, for what it has', async () => {
      renameSync(folder, `${folder}-away`);
      const first = before.all[0]!.position;
      await expect(instance.events.load(streams[0]!)).rejects.toThrow(UnavailableError);
      await expect(instance.events.readAll({ max: 9 })).rejects.toThrow(UnavailableError);
      await expect(instance.texts.at([first])).rejects.toThrow(UnavailableError);
      await expect(instance.subscribed({ max: 9 })).rejects.toThrow(UnavailableError);
      await expect(instance.run(TOMORROW)).rejects.toThrow(UnavailableError);
      expect(await instance.events.load(streams[4]!)).toEqual(before.streams[4]);
      expect(await instance.events.load('note-unknown')).toEqual([]);
      renameSync(`${folder}-away`, folder);
      await expectAsBefore();
    });

    it('names the events of a flipped byte, and gives all others', async () => {
      const bytes = readFileSync(path());
      const db = new Database(path(), { readonly: true });
      const pack = db.prepare('SELECT bytes FROM packs ORDER BY id').pluck().get() as Buffer;
      db.close();
      bytes[bytes.indexOf(pack) + 9]! ^= 1;
      writeFileSync(path(), bytes);
      await expect(instance.events.load(streams[0]!)).rejects.toThrow(CorruptEventError);
      await expect(instance.events.readAll({ max: 99 })).rejects.toThrow(CorruptEventError);
      expect(await instance.events.load(streams[1]!)).toEqual(before.streams[1]);
      const damaged = before.streams[0]!.slice(0, 3).map(({ position }) => position);
      const page = await instance.texts.after(undefined, 4);
      expect(page.damaged.map(({ position }) => position)).toEqual(damaged.slice(0, 2));
      const { texts, damaged: all } = await instance.texts.after(undefined, 99);
      expect(all.map(({ position }) => position)).toEqual(damaged);
      expect(texts).toEqual(before.texts.filter(({ position }) => !damaged.includes(position)));
    });

    it.each([
      ['an event', 'DELETE FROM packed WHERE position = (SELECT min(position) FROM packed)'],
      ['the name of a stream', "UPDATE streams SET name = 'other' WHERE id = 1"],
    ])('does not hide %s that is lost in it', async (_, sql) => {
      alter(sql);
      await expect(instance.events.load(streams[0]!)).rejects.toThrow(CorruptEventError);
    });

    it('does not pass for an archive when it is another file', async () => {
      writeFileSync(path(), 'another file');
      await expect(instance.events.load(streams[0]!)).rejects.toThrow(CorruptEventError);
      await expect(instance.events.readAll({ max: 9 })).rejects.toThrow(CorruptEventError);
    });
  });

  it('has to be known to every instance', async () => {
    await instance.run();
    const remote = EventStoreDb.open({ url: server.url, timeoutMs: 30_000 });
    const manifest = new ArchiveManifest(remote);
    const without = new ArchivedEventStore(remote, {
      archive: undefined,
      manifest,
      over: RULE.over,
      clock: new ManualClock(),
    });
    await expect(without.check()).rejects.toThrow('ARCHIVE_DIR');
    await expect(without.load(streams[0]!)).rejects.toThrow('ARCHIVE_DIR');
    await without.close();
  });
});
