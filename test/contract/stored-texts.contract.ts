import { v7 } from 'uuid';
import type { Append, EventStore, NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import type { StoredText, StoredTexts } from '../../src/event-sourcing/ports/stored-texts.port.js';
import { metadata } from '../kit/recorded.js';
import { begin, goOn } from './sample-appends.js';

export interface TextStores {
  readonly events: Pick<EventStore, 'append' | 'readAll' | 'head'>;
  readonly texts: StoredTexts;
}

/** What JSON spells in more than one way. */
const DATA: readonly object[] = [
  { b: 1, a: { '10': 1, '9': [] }, text: 'Ä\u2028"\\/\n€🖨\ud800' },
  { n: [1e21, 1e-7, 0.1, -0, 123456789012345680000, null, true], '': '' },
  {},
];

const noted = (data: object): NewEvent => ({ id: v7(), type: 'NoteWritten', data, metadata });
const textOf = ({ id, type, data, metadata: of }: NewEvent) => ({
  ...{ id, type, data: JSON.stringify(data), metadata: JSON.stringify(of) },
});
const bare = ({ id, type, data, metadata: of }: StoredText) => ({ id, type, data, metadata: of });

/** @param stores of any content @param other of another installation */
export function storedTextsContract(stores: () => TextStores, other: () => Promise<TextStores>): void {
  const written = DATA.map(noted);
  let [stream, start] = ['', undefined as string | undefined];
  const all = async ({ texts }: TextStores, after: string | undefined) =>
    (await texts.after(after, 1_000)).texts.filter((text) => text.stream === stream);

  beforeEach(async () => {
    stream = `note-${v7()}`;
    start = await stores().events.head();
    await stores().events.append(begin(stream, ...written.slice(0, 2)));
    await stores().events.append(goOn(stream, 1, written[2]!));
  });

  it('are the texts that were appended', async () => {
    const found = await all(stores(), start);
    expect(found.map(bare)).toEqual(written.map(textOf));
    expect(found.map(({ revision }) => revision)).toEqual([0, 1, 2]);
  });

  it('are read after a position, of a stream from a revision, and at positions', async () => {
    const { texts } = stores();
    const [first, second, third] = await all(stores(), start);
    const none = { damaged: [], isLast: false };
    expect(await texts.after(start, 1)).toEqual({ ...none, texts: [first], end: first!.position });
    expect(await texts.after(first!.position, 1)).toMatchObject({ texts: [second], end: second!.position });
    const rest = { ...none, texts: [third], end: third!.position, isLast: true };
    expect(await texts.after(second!.position, 2)).toEqual(rest);
    expect(await texts.after(third!.position, 2)).toEqual({ ...rest, texts: [] });
    expect(await texts.stream(stream, 0, 2)).toEqual([first, second]);
    expect(await texts.stream(stream, 2, 9)).toEqual([third]);
    expect(await texts.stream('note-missing', 0, 9)).toEqual([]);
    expect(await texts.at([third!.position, first!.position])).toEqual([third, first]);
    expect(await texts.at(['09007199254740990000'.padStart(20, '0')])).toEqual([undefined]);
  });

  it('are passed over in unwanted categories, whatever is behind them', async () => {
    const { events, texts } = stores();
    const other = `other-${v7()}`;
    await events.append(begin(other, noted({})));
    const left = async (after: string | undefined) => {
      const { texts: found, ...page } = await texts.after(after, 1_000, ['claim', 'note']);
      return { ...page, streams: found.map(({ stream: name }) => name) };
    };
    const page = { damaged: [], isLast: true, end: await events.head() };
    expect(await left(start)).toEqual({ ...page, streams: [other] });
    await events.append(goOn(stream, 2, noted({})));
    const end = await events.head();
    expect(await left(start)).toEqual({ ...page, streams: [other], end });
    expect(await left(end)).toEqual({ ...page, streams: [], end });
  });

  it('are the same after an export and an import', async () => {
    const read = await stores().events.readAll({ max: 1_000, ...(start !== undefined && { after: start }) });
    const exported = read.filter((event) => event.stream === stream).map((event) => JSON.stringify(event));
    const target = await other();
    const before = await target.events.head();
    const imported: Append = begin(stream, ...exported.map((line) => JSON.parse(line) as NewEvent));
    const events = imported.events.map(({ id, type, data, metadata: of }) => ({
      id,
      type,
      data,
      metadata: of,
    }));
    await target.events.append({ ...imported, events });
    expect((await all(target, before)).map(bare)).toEqual(written.map(textOf));
  });
}
