import { EventStoreDBClient } from '@eventstore/db-client';
import { v7 } from 'uuid';
import { begin, closed, goOn, moved, written } from '../../../contract/sample-appends.js';
import { metadata } from '../../../kit/recorded.js';
import { within } from '../../../kit/polling.js';
import type { Injected } from '../../../stand-ins/eventstore/control.js';
import { note, scene, SOON_MS } from './scene.js';
import { CorruptEventError, UnavailableError } from '../../../../src/kernel/errors.js';

const json = JSON.stringify(metadata);
const ofUs = (stream: string): Injected => ({ stream, type: 'NoteClosed', data: '{}', metadata: json });
const ofTheSystem: Injected = { stream: '$stats', type: '$statsCollected', data: '{}' };
const linked: Injected = { stream: '$ce-note', type: 'NoteClosed', data: '{}', metadata: json };

describe('reading the log', () => {
  const the = scene();

  it('loads streams of any length, and all events, page by page', async () => {
    const { store } = the.open();
    const [stream, start] = [`note-${v7()}`, await store.head()];
    await the.server.injectAll(Array.from({ length: 1_203 }, () => ofUs(stream)));

    const loaded = await store.load(stream);
    expect(loaded.map(({ revision }) => revision)).toEqual(loaded.map((_, n) => n));
    expect(loaded).toHaveLength(1_203);
    expect(await store.load(stream, { from: 600, max: 550 })).toEqual(loaded.slice(600, 1_150));
    expect(await store.load(stream, { from: 1_203 })).toEqual([]);
    expect(await store.readAll({ after: start, max: 10_000 })).toEqual(loaded);
    expect(await store.readAll({ after: loaded[699]!.position, max: 2 })).toEqual(loaded.slice(700, 702));
    expect(await store.readAll({ max: 0 })).toEqual([]);
  });

  it('requests each page once, without events that are then discarded', async () => {
    const { store } = the.open();
    const stream = `note-${v7()}`;
    await the.server.injectAll(Array.from({ length: 1_100 }, () => ofUs(stream)));
    const loaded = await store.load(stream);
    const before = await the.server.counters();
    const page = await store.readAll({ after: loaded[0]!.position, max: 500 });
    const after = await the.server.counters();

    expect(page).toEqual(loaded.slice(1, 501));
    expect(after.readsReceived - before.readsReceived).toBe(1);
  });

  it('never returns a marker, whose position is beyond every event', async () => {
    const { store } = the.open();
    const stream = `note-${v7()}`;
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    const first = await store.append(begin(stream, written()));
    const marker = await store.writeMarker();
    expect([marker > first.position, await store.end()]).toEqual([true, marker]);
    await store.writeMarker();
    const second = await store.append(goOn(stream, 0, closed()));
    await within(SOON_MS, () => listener.events.length >= 2);

    expect(second.position > marker).toBe(true);
    expect(await store.readAll({ after: first.position, max: 10 })).toEqual(second.events);
    expect(await store.head()).toBe(second.position);
    expect(listener.events).toEqual([...first.events, ...second.events]);
  });

  it('refuses a marker of a node that is not the leader', async () => {
    const { store } = the.open();
    await the.server.faults.set({ notLeader: null });
    await expect(store.writeMarker()).rejects.toThrow(UnavailableError);
  });

  it('never returns system events', async () => {
    const { store } = the.open();
    const [stream, start] = [`note-${v7()}`, (await store.head()) ?? '0'.repeat(20)];
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    const rest = Array.from({ length: 700 }, () => ofTheSystem);
    await the.server.injectAll([ofUs(stream), ...rest, linked, ofUs(stream), ...rest, linked]);
    await within(SOON_MS, () => listener.events.length >= 2);

    const loaded = await store.load(stream);
    expect(await store.readAll({ after: start, max: 10_000 })).toEqual(loaded);
    expect(await store.readAll({ after: loaded[0]!.position, max: 1 })).toEqual([loaded[1]]);
    expect(await store.readAll({ after: loaded[1]!.position, max: 1 })).toEqual([]);
    expect(await store.head()).toBe(loaded[1]!.position);
    expect(listener.events).toEqual(loaded);
  });

  it('delivers events of the requested types only, and moves past the others', async () => {
    const { store } = the.open();
    const [stream, start] = [`note-${v7()}`, (await store.head()) ?? '0'.repeat(20)];
    const other = { ...ofUs(stream), type: 'NoteClosedAndMore' };
    const listener = await the.listen(store, { after: start, types: ['NoteMoved', 'NoteClosed'] }).caughtUp();
    await the.server.injectAll([other, ofUs(stream), ...Array.from({ length: 300 }, () => other)]);
    await within(
      SOON_MS,
      () => (listener.batches.at(-1)?.position ?? '') > (listener.events[0]?.position ?? '~'),
    );

    expect(listener.events.map(({ type, revision }) => [type, revision])).toEqual([['NoteClosed', 1]]);
    expect(await store.head(['NoteMoved', 'NoteClosed'])).toBe(listener.events[0]!.position);
    expect(await store.head()).not.toBe(listener.events[0]!.position);
  });

  it('loads a softly deleted stream as empty', async () => {
    const { store } = the.open();
    const append = note();
    await store.append(append);
    const client = EventStoreDBClient.connectionString(the.server.url);
    await client.deleteStream(append.stream);
    await client.dispose();

    expect(await store.load(append.stream)).toEqual([]);
  });

  it('shows the rest of a truncated stream, before and after a scavenge', async () => {
    const { store } = the.open();
    const after = await store.head();
    const stream = `note-${v7()}`;
    const { events } = await store.append(begin(stream, written(), moved('out'), closed()));
    await store.truncate(stream, 2);
    const left = events.slice(2);
    const logged = async () => (await store.readAll({ ...(after && { after }), max: 10 })).length;

    expect(await store.load(stream)).toEqual(left);
    expect(await logged()).toBe(3);
    expect(await the.server.scavenge()).toBeGreaterThan(1);
    expect(await store.load(stream)).toEqual(left);
    expect(await logged()).toBe(1);
    await expect(store.append(begin(stream, written()))).rejects.toMatchObject({ actual: 2 });
    expect(await store.append(goOn(stream, 2, written()))).toMatchObject({ revision: 3 });
  });

  it('continues after a deleted event without skipping the next', async () => {
    const { store } = the.open();
    const { stream } = note();
    const [first] = await the.server.injectAll([ofUs(stream), ofUs(stream)]);
    const client = EventStoreDBClient.connectionString(the.server.url);
    await client.deleteStream(stream);
    await client.dispose();
    const next = note();
    await store.append(next);
    expect(await the.server.scavenge()).toBeGreaterThan(0);
    const gone = String(first!.position).padStart(20, '0');
    const listener = await the.listen(store, { after: gone }).caughtUp();

    // A scavenge leaves the last event of a stream.
    const left = [stream, next.stream];
    expect(listener.streams).toEqual(left);
    expect((await store.readAll({ after: gone, max: 10 })).map(({ stream }) => stream)).toEqual(left);
  });

  it('reports its position before any event is appended', async () => {
    const { store } = the.open();
    const { position } = await store.append(note());
    const listener = await the.listen(store, { after: 'end' }).caughtUp();

    expect(listener.batches[0]).toEqual({ events: [], position, caughtUp: true, interrupted: false });
  });

  it('returns at most the requested number, and reports the end', async () => {
    const { store } = the.open();
    const { position: after } = await store.append(note());
    await the.server.injectAll(Array.from({ length: 5_000 }, () => ofUs(`note-${v7()}`)));
    const { batches } = await the.listen(store, { after, max: 64 }).caughtUp();

    expect(batches.flatMap(({ events }) => events)).toHaveLength(5_000);
    expect(Math.max(...batches.map(({ events }) => events.length))).toBeLessThanOrEqual(64);
    expect(batches.filter(({ caughtUp }) => caughtUp)).toHaveLength(1);
  });
});

describe('reading an unreadable event', () => {
  const the = scene();

  it.each([
    ['is no JSON', { data: '{', metadata: json }],
    ['is not said to be JSON', { data: '{}', metadata: json, contentType: 'application/octet-stream' }],
    ['has no metadata', { data: '{}' }],
    ['has metadata of somebody else', { data: '{}', metadata: '{"who":"knows"}' }],
    ['has metadata that is no JSON', { data: '{}', metadata: '{' }],
  ])('fails at that event because it %s, and names it', async (_, content) => {
    const { store } = the.open();
    const { position: after } = await store.append(note());
    const [first, third] = [note(), note()];
    await store.append(first);
    const corrupt = { ...ofUs('note-corrupt'), metadata: undefined, ...content };
    const [stored] = await the.server.injectAll([corrupt]);
    await store.append(third);
    const position = String(stored!.position).padStart(20, '0');
    const listener = the.listen(store, { after });
    await within(SOON_MS, () => listener.failure !== undefined);

    expect(listener.failure).toBeInstanceOf(CorruptEventError);
    expect(listener.failure).toMatchObject({ stream: 'note-corrupt', position });
    expect(listener.streams).toEqual([first.stream]);
    await expect(store.load('note-corrupt')).rejects.toBeInstanceOf(CorruptEventError);
    await expect(store.readAll({ after, max: 10 })).rejects.toMatchObject({ position });
    expect((await the.listen(store, { after: position }).caughtUp()).streams).toEqual([third.stream]);
  });

  it('is reported and omitted on request, and hides no event before it', async () => {
    const { store } = the.open();
    const [first, second] = [note(), note()];
    const { position: after } = await store.append(note());
    await store.append(first);
    const [corrupt] = await the.server.injectAll([{ ...ofUs('note-corrupt'), data: '{' }]);
    await store.append(second);
    const reported: CorruptEventError[] = [];
    const onCorrupt = (error: CorruptEventError) => reported.push(error);
    const read = await store.readAll({ after, max: 10, onCorrupt });

    expect(read.map(({ stream }) => stream)).toEqual([first.stream, second.stream]);
    expect(reported).toMatchObject([{ stream: 'note-corrupt', type: 'NoteClosed' }]);
    expect(Number(reported[0]!.position)).toBe(corrupt!.position);
    expect(await store.readAll({ after, max: 1 })).toHaveLength(1);
  });

  it('does not affect the other events', async () => {
    const { store } = the.open();
    const stream = `note-${v7()}`;
    await store.append(begin(stream, written(), closed()));
    await the.server.injectAll([{ stream: 'note-bad', type: 'NoteClosed', data: '{' }]);

    expect(await store.load(stream)).toHaveLength(2);
  });
});
