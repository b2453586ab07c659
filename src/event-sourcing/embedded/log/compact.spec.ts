import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { positionFromNumber, type StoredRow } from '../../write/event-codec.js';
import type { EventMetadata } from '../../../kernel/recorded-event.js';
import { compactMetadata, metadataFrom, timeIn } from './compact-metadata.js';
import { compactId, compactStream, idFrom, streamFrom, type CompactText } from './compact-text.js';
import { DICTIONARIES } from './pack-dictionary.js';
import { PHRASES, phrased, phrasedFrom } from './phrases.js';
import { canPack, packOf, rowsOf } from './pack.js';

const uuid = fc.uuid();
const anyId = fc.oneof(uuid, fc.string(), fc.constant('start'), fc.string({ minLength: 70, maxLength: 120 }));
const kind = fc.constantFrom('api_key', 'partner', 'device', 'enrollment', 'operator', 'member', 'process');
const at = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const metadata = fc.record(
  {
    actor: fc.record({ kind, id: anyId }),
    correlationId: anyId,
    requestId: anyId,
    causationId: anyId,
    at,
    schemaVersion: fc.integer({ min: 1, max: 300 }),
    accountId: anyId,
  },
  { requiredKeys: ['actor', 'correlationId', 'at', 'schemaVersion'] },
);
const written = {
  actor: { kind: 'device', id: '01a208dc-c239-741b-82c3-6ef9692ab525' },
  correlationId: '01a208dc-c23a-704e-81cd-4e9a29801b38',
  requestId: '01a208dc-c23a-704e-81cd-50c6513ab576',
  at: '2026-11-23T14:43:35.098Z',
  schemaVersion: 1,
} satisfies EventMetadata;
const sizeOf = (column: CompactText) => column.length;

describe('the compact form of metadata', () => {
  it('gives back the text that was written, whatever it is', () => {
    const text = fc.oneof(
      metadata.map((one) => JSON.stringify(one)),
      fc.string(),
      fc.json(),
    );
    fc.assert(fc.property(text, (given) => expect(metadataFrom(compactMetadata(given))).toBe(given)));
  });

  it('takes a quarter of the bytes of what the service writes', () => {
    const text = JSON.stringify(written);
    const compact = compactMetadata(text);
    expect([text.length, sizeOf(compact)]).toEqual([227, 59]);
    expect([timeIn(compact), timeIn(text)]).toEqual([written.at, written.at]);
  });

  it.each([
    ['a kind that it does not know', { ...written, actor: { kind: 'robot', id: '1' } }],
    ['a day that does not exist', { ...written, at: '2026-02-30T12:00:00.000Z' }],
    ['a time before 1970', { ...written, at: '1969-02-03T12:00:00.000Z' }],
    ['another order', { schemaVersion: 1, at: written.at, correlationId: '1', actor: written.actor }],
    ['a field more', { ...written, more: 1 }],
  ])('leaves %s as it is', (_, given) => {
    const text = JSON.stringify(given);
    expect(compactMetadata(text)).toBe(text);
  });
});

describe('the compact form of names and ids', () => {
  const hash = fc.string().map((text) => createHash('sha256').update(text).digest('hex'));
  const stream = fc.oneof(
    fc
      .tuple(fc.constantFrom('job', 'claim', 'apiKey'), fc.oneof(uuid, hash, fc.string()))
      .map((two) => two.join('-')),
    fc.string(),
  );

  it('gives back every stream and every id', () => {
    fc.assert(fc.property(stream, (name) => expect(streamFrom(compactStream(name))).toBe(name)));
    fc.assert(fc.property(anyId, (id) => expect(idFrom(compactId(id))).toBe(id)));
  });

  it('has one form for each stream, so that the index finds it', () => {
    fc.assert(fc.property(stream, (name) => expect(compactStream(name)).toEqual(compactStream(name))));
    expect(sizeOf(compactStream(`job-${written.requestId}`))).toBe(21);
  });
});

describe('phrases in the texts of events', () => {
  const phrase = fc.constantFrom(...PHRASES);
  const control = fc.integer({ min: 1, max: 31 }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(
    fc.json(),
    fc.array(fc.oneof(phrase, fc.string(), control)).map((parts) => parts.join('')),
  );

  it('become codes and phrases again, in any text', () => {
    fc.assert(fc.property(text, (given) => expect(phrasedFrom(phrased(given))).toBe(given)));
  });

  it('make the events of a job a third shorter', () => {
    const data = `{"leaseId":"${written.requestId}","fence":1,"graceUntil":"${written.at}","graceAtMost":"${written.at}"}`;
    expect([data.length, phrased(data).length, phrased('HandoffStarted').length]).toEqual([141, 94, 1]);
  });

  it('keep their codes for ever: rows of earlier releases are read with them', () => {
    const hash = createHash('sha256').update(PHRASES.slice(0, 72).join('\n')).digest('hex').slice(0, 16);
    expect(hash).toBe('a148eac9d8e15721');
    expect(phrased(PHRASES[71]!)).toBe('\u001e_');
  });

  it('are refused if no release has written them', () => {
    expect(() => phrasedFrom('\u001e~')).toThrow(TypeError);
  });
});

describe('a pack', () => {
  const line = fc.string().filter((text) => !text.includes('\n'));
  const event = fc.record({ id: line, type: line, data: line, metadata: line.filter((text) => text !== '') });
  const stream = 'job-1';

  it('gives back the events text by text, at their positions', () => {
    const distances = fc.array(fc.tuple(event, fc.integer({ min: 1, max: 1e9 })), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(distances, fc.nat(100), (events, first) => {
        let at = 0;
        const rows: StoredRow[] = events.map(([one, distance], n) => ({
          ...one,
          stream,
          revision: first + n,
          position: positionFromNumber((at += distance)),
        }));
        const range = { stream, first, position: Number(rows[0]!.position) };
        expect(rowsOf(packOf(rows), range)).toEqual(rows);
      }),
    );
  });

  it('refuses texts that it could not tell apart', () => {
    const row = { id: '1', type: 'A', data: '{}', metadata: '{}', stream, revision: 0, position: '1' };
    expect([canPack([row]), canPack([row, { ...row, data: '{\n}' }])]).toEqual([true, false]);
  });

  it('keeps its dictionaries for ever: packs of earlier releases are read with them', () => {
    const hashes = DICTIONARIES.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 16));
    expect(hashes).toEqual(['f9fbac07fa3231de']);
  });
});
