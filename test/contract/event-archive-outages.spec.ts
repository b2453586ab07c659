import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 } from 'uuid';
import type { ReadAllOptions } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import { sumOf } from '../../src/event-sourcing/embedded/files/copied-file.js';
import { ARCHIVE_MARK } from '../../src/event-sourcing/embedded/sqlite-event-archive.js';
import { ArchivedEventStore } from '../../src/event-sourcing/servers/archive/archived-event-store.js';
import { partitionOf, partitions } from '../../src/event-sourcing/ports/partitions.js';
import { ServerStoredTexts } from '../../src/event-sourcing/servers/eventstoredb/log-reader.js';
import { CorruptEventError, UnavailableError } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { plus } from '../../src/kernel/time.js';
import { metadata, NOON } from '../kit/recorded.js';
import { soon } from '../kit/polling.js';
import { startEventStoreServer, type EventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { Instance, RULE, TOMORROW } from './archive-instance.js';
import { begin, burnt, closed, goOn, moved, written } from './sample-appends.js';

/** Ended a second after `NOON`. */
const late = () => ({ ...burnt(), metadata: { ...metadata, at: plus(NOON, 1_000) } });

describe('an archive in trouble', () => {
  let server: EventStoreServer;
  let folder: string;
  let instance: Instance;
  let streams: string[];
  let before: Awaited<ReturnType<Instance['everything']>>;
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.db'));
  const path = () => join(folder, files()[0]!);
  const expectAsBefore = async () => expect(await instance.everything(streams)).toEqual(before);
  const archived = async () => {
    await instance.run();
    await server.scavenge();
    instance.archive.close();
  };

  beforeEach(async () => {
    server = await startEventStoreServer();
    folder = mkdtempSync(join(tmpdir(), 'rps-archive-'));
    writeFileSync(join(folder, '.rps-archive'), '');
    instance = new Instance(server.url, folder);
    streams = Array.from({ length: 5 }, () => `note-${v7()}`);
    const { events } = instance;
    for (const name of streams) await events.append(begin(name, written(name), moved('out'), closed()));
    for (const name of streams.slice(0, 3)) await events.append(goOn(name, 2, burnt()));
    before = await instance.everything(streams);
  });
  afterEach(async () => {
    await instance.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Stops after its file is written. */
  function holdWrite({ archive }: Instance) {
    const write = archive.write.bind(archive);
    let letGo!: () => void;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    const reached = new Promise<void>((resolve) => {
      archive.write = async (...given) => {
        archive.write = write;
        const file = await write(...given);
        resolve();
        await released;
        return file;
      };
    });
    return { reached, letGo };
  }

  describe('with two workers', () => {
    it('lists the file of one, even if the instance of the other reads meanwhile', async () => {
      const other = new Instance(server.url, folder);
      const held = holdWrite(other);
      const slow = other.run();
      await held.reached;
      expect(await instance.run()).toBe(3);
      await other.readAll(99);
      held.letGo();
      await expect(slow).rejects.toThrow('expected');
      await server.scavenge();
      await expectAsBefore();
      await other.close();
    });

    it('lists the file of one, also within a process', async () => {
      const held = holdWrite(instance);
      const slow = instance.run();
      await held.reached;
      expect(await instance.run()).toBe(3);
      held.letGo();
      await expect(slow).rejects.toThrow('expected');
      await expectAsBefore();
    });

    it('lists nothing once it is stopped', async () => {
      const held = holdWrite(instance);
      const stop = new AbortController();
      const run = instance.run(undefined, stop.signal);
      await held.reached;
      stop.abort();
      held.letGo();
      await expect(run).rejects.toThrow('aborted');
      expect(await instance.manifest.files()).toEqual([]);
    });

    it('reads an event that two files have once', async () => {
      await archived();
      const [file] = await instance.manifest.files();
      copyFileSync(path(), join(folder, 'copy.db'));
      await instance.manifest.add({ ...file!, name: 'copy.db' });
      await expectAsBefore();
    });
  });

  it('is begun only in a folder that the operator marked', async () => {
    rmSync(join(folder, ARCHIVE_MARK));
    await expect(instance.run()).rejects.toThrow(`${ARCHIVE_MARK}: mount its folder`);
    expect(readdirSync(folder)).toEqual([]);
    expect(await instance.manifest.files()).toEqual([]);
  });

  it('is written elsewhere, and copied as a whole', async () => {
    const seen: string[][] = [];
    const { write } = instance.archive;
    instance.archive.write = (name, given) => {
      const looked = async function* () {
        for await (const one of given) yield (seen.push(readdirSync(folder)), one);
      };
      return write.call(instance.archive, name, looked());
    };
    await instance.run();
    expect(seen).toEqual([[ARCHIVE_MARK], [ARCHIVE_MARK], [ARCHIVE_MARK]]);
    const [file] = await instance.manifest.files();
    expect(await sumOf(path())).toEqual({ bytes: file!.bytes, sha256: file!.sha256 });
    expect(readdirSync(folder)).toEqual([ARCHIVE_MARK, file!.name]);
  });

  it('lists no file whose folder was unmounted meanwhile', async () => {
    const { write } = instance.archive;
    instance.archive.write = (name, given) => {
      const last = async function* () {
        yield* given;
        renameSync(folder, `${folder}-away`);
        mkdirSync(folder);
      };
      return write.call(instance.archive, name, last());
    };
    await expect(instance.run()).rejects.toThrow(UnavailableError);
    expect(await instance.manifest.files()).toEqual([]);
    rmSync(`${folder}-away`, { recursive: true });
  });

  it('is not begun anew in an empty mount point', async () => {
    await archived();
    renameSync(folder, `${folder}-away`);
    mkdirSync(folder);
    writeFileSync(join(folder, ARCHIVE_MARK), '');
    await instance.events.append(goOn(streams[3]!, 2, late()));
    await expect(instance.run(TOMORROW)).rejects.toThrow(UnavailableError);
    expect(files()).toEqual([]);
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-away`, folder);
    expect(await instance.run(TOMORROW)).toBe(1);
  });

  it('truncates no stream that its file does not give back', async () => {
    const { stream } = instance.archive;
    instance.archive.stream = () => [];
    await expect(instance.run()).rejects.toThrow(CorruptEventError);
    instance.archive.stream = stream;
    await server.scavenge();
    await expectAsBefore();
  });

  it.each([
    ['has not ended', 3, (given: readonly RecordedEvent[]) => given],
    ['has other events', 0, (given: readonly RecordedEvent[]) => given.map((one) => ({ ...one, id: v7() }))],
  ])('truncates no stream that %s in the log by then', async (_, n, change) => {
    const name = streams[n]!;
    const given = change(before.streams[n]!.slice(0, 3));
    instance.archive.streams = () => [{ name, events: 3 }];
    instance.archive.stream = () => given;
    await expect(instance.run()).rejects.toThrow(CorruptEventError);
    expect(instance.faults.calls('truncate')).toBe(0);
  });

  it('reads a file anew after a repair', async () => {
    await archived();
    const bytes = readFileSync(path());
    writeFileSync(path(), damaged(path()));
    await expect(instance.events.load(streams[0]!)).rejects.toThrow(CorruptEventError);
    writeFileSync(`${path()}.new`, bytes);
    renameSync(`${path()}.new`, path());
    await expectAsBefore();
  });

  it('is an outage while a file cannot be opened', async () => {
    await archived();
    renameSync(path(), join(folder, 'away'));
    const [{ name } = { name: '' }] = await instance.manifest.files();
    mkdirSync(join(folder, name));
    await expect(instance.events.load(streams[0]!)).rejects.toThrow(UnavailableError);
    rmSync(join(folder, name), { recursive: true });
    renameSync(join(folder, 'away'), join(folder, name));
    await expectAsBefore();
  });

  describe('of which an instance does not know', () => {
    let unaware: Instance;
    let texts: ServerStoredTexts;
    let events: ArchivedEventStore;
    beforeEach(() => {
      unaware = new Instance(server.url, folder);
      const { faults, manifest, clock } = unaware;
      events = new ArchivedEventStore(faults.port, { archive: undefined, manifest, clock, over: RULE.over });
      texts = new ServerStoredTexts(events);
    });
    afterEach(() => unaware.close());
    const { signal } = new AbortController();
    const first = () => events.subscribe({ max: 9, signal })[Symbol.asyncIterator]().next();

    it('is noticed by each read a few seconds later', async () => {
      await events.check();
      expect(await events.readAll({ max: 99 })).toEqual(before.all);
      await archived();
      unaware.clock.advance(3_000);
      const position = before.all[0]!.position;
      for (const read of [
        () => events.check(),
        () => events.readAll({ max: 99 }),
        () => events.at(position),
        () => texts.after(undefined, 99),
        () => texts.at([position]),
        first,
      ])
        await expect(read()).rejects.toThrow('set ARCHIVE_DIR');
    });

    it('costs one small read every few seconds while there is none', async () => {
      const { faults, clock } = unaware;
      for (const looks of [1, 2]) {
        await Promise.all([events.check(), events.readAll({ max: 99 }), first()]);
        for (let n = 0; n < 9; n++) await events.readAll({ max: 99 });
        expect(faults.calls('load')).toBe(looks);
        clock.advance(3_000);
      }
    });
  });

  it('interrupts a subscription while the event store does not list it', async () => {
    await archived();
    instance.faults.refuse('load');
    const { signal } = new AbortController();
    const feed = instance.events.subscribe({ max: 99, signal })[Symbol.asyncIterator]();
    const interrupted = { events: [], position: undefined, caughtUp: false, interrupted: true };
    expect((await feed.next()).value).toEqual(interrupted);
    const next = feed.next();
    await soon(() => instance.clock.pending > 0);
    instance.clock.advance(3_000);
    const events: RecordedEvent[] = [];
    // The first batch holds what has arrived by then.
    for (let batch = (await next).value!; ; batch = (await feed.next()).value!) {
      expect(batch.interrupted).toBe(false);
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    expect(events).toEqual(before.all);
    await feed.return!(undefined);
  });

  it('stops only the partition of a damaged event', async () => {
    await archived();
    writeFileSync(path(), damaged(path()));
    const own = partitionOf(streams[0]!, 2);
    const [ofOwn, ofOther] = [partitions(2)[own]!, partitions(2)[1 - own]!];
    await expect(instance.subscribed({ max: 99, partition: ofOwn })).rejects.toThrow(CorruptEventError);
    expect(await instance.subscribed({ max: 99, partition: ofOther })).toEqual(
      before.all.filter(({ stream }) => partitionOf(stream, 2) === ofOther.index),
    );
  });

  it('has what is truncated between two pages of a stream', async () => {
    const { load } = instance.faults.port;
    const [name] = streams;
    await archived();
    const truncated = async (...given: Parameters<typeof load>) => [
      ...before.streams[0]!.slice(0, 2),
      ...(await load(...given)),
    ];
    instance.faults.distort('load', () => truncated(name!));
    expect(await instance.events.load(name!)).toEqual(before.streams[0]);
  });

  it('takes a stream that a fast clock ended first the next day', async () => {
    await instance.events.append(goOn(streams[3]!, 2, late()));
    await instance.events.append(goOn(streams[4]!, 2, burnt()));
    expect(await instance.run()).toBe(3);
    expect(await instance.run(TOMORROW)).toBe(2);
  });

  it('reports damaged events of both in order', async () => {
    await archived();
    writeFileSync(path(), damaged(path()));
    const { position: last, stream } = before.all.at(-1)!;
    const { port } = instance.faults;
    const readAll = async (options: ReadAllOptions) => {
      options.onCorrupt?.(new CorruptEventError(stream, 3, last));
      return (await port.readAll(options)).filter(({ position }) => position !== last);
    };
    const remote = Object.assign(Object.create(port) as typeof port, { readAll });
    const { archive, manifest, clock } = instance;
    const found: string[] = [];
    const onCorrupt = ({ position }: CorruptEventError) => void found.push(position);
    const events = new ArchivedEventStore(remote, { archive, manifest, clock, over: RULE.over });
    await events.readAll({ max: 99, onCorrupt });
    expect(found).toEqual([...before.streams[0]!.slice(0, 3).map(({ position }) => position), last]);
  });

  /** The file with a flipped byte in the pack of the first stream. */
  function damaged(file: string): Buffer {
    const bytes = readFileSync(file);
    const db = new Database(file, { readonly: true });
    const pack = db.prepare('SELECT bytes FROM packs ORDER BY id').pluck().get() as Buffer;
    db.close();
    bytes[bytes.indexOf(pack) + 9]! ^= 1;
    return bytes;
  }
});
