import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { positionFromNumber } from '../../write/event-codec.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import { DICTIONARIES, EARLIER_PHRASES } from './pack-dictionary.js';
import { canPack, packOf, rowsOf } from './pack.js';

describe('a pack', () => {
  const line = fc.string().filter((text) => !text.includes('\n'));
  const event = fc.record({ id: line, type: line, data: line, metadata: line.filter((text) => text !== '') });
  const stream = 'job-1';

  it('unpacks the events unchanged, at their positions', () => {
    const distances = fc.array(fc.tuple(event, fc.integer({ min: 1, max: 1e9 })), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(distances, fc.nat(100), (events, first) => {
        let at = 0;
        const rows: StoredText[] = events.map(([one, distance], n) => ({
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

  it('refuses texts with a line break', () => {
    const row = { id: '1', type: 'A', data: '{}', metadata: '{}', stream, revision: 0, position: '1' };
    expect([canPack([row]), canPack([row, { ...row, data: '{\n}' }])]).toEqual([true, false]);
  });

  it('reads packs of earlier releases with their dictionaries', () => {
    const hashes = DICTIONARIES.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 16));
    expect(hashes).toEqual(['f9fbac07fa3231de']);
  });
});

describe('phrases of schema version 3', () => {
  it('read rows of earlier releases with their codes', () => {
    const phrases = [...EARLIER_PHRASES.short, ...EARLIER_PHRASES.long];
    const hash = createHash('sha256').update(phrases.join('\n')).digest('hex').slice(0, 16);
    expect(hash).toBe('a148eac9d8e15721');
  });
});
