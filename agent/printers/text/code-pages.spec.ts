import fc from 'fast-check';
import iconv from 'iconv-lite';
import type { TextEncoding } from '../../service/protocol.js';
import { encodeText } from './code-pages.js';
import { composed } from './letters.js';

const CODE_PAGES = [
  ...(['windows-1252', 'cp437', 'cp850', 'cp852', 'cp858', 'cp866'] as const),
  ...(['iso8859-15', 'shift_jis', 'gb18030'] as const),
];
/** Whatever people write: ASCII, the letters of most scripts, signs, emoji and any other character. */
const letters = fc.oneof(
  fc.constantFrom(
    ...'aZ09 .\n\r\t',
    ...'äÖßéñçłŁőšžřĂș€£¥„“”’…–—•№½™',
    ...'щЖїґΩάשا中あｱ한☕😀\u202f\u200b\u0301ế',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const texts = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''));
const RUNS = { numRuns: 1000 };

describe.each(CODE_PAGES)('text in %s', (encoding: TextEncoding) => {
  const decoded = (text: string): string => iconv.decode(encodeText(text, encoding).bytes, encoding);

  it('comes back as it was if the code page has every letter', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const encodable = decoded(text);
        expect(decoded(encodable)).toBe(encodable);
        expect(encodeText(encodable, encoding).replaced).toEqual([]);
      }),
      RUNS,
    );
  });

  it('has each letter, its form that is named, or nothing for what has no ink', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const text = given.replaceAll(/\P{M}\p{M}+/gu, (cluster) => cluster.normalize('NFC'));
        const forms = new Map(encodeText(text, encoding).replaced.map(({ letter, form }) => [letter, form]));
        const blank = (part: string): string => part.replaceAll(/\p{Zs}/gu, ' ');
        const ink = (part: string): string =>
          blank(part.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''));
        const promised = [...text].map((letter) => forms.get(letter) ?? letter).join('');
        expect(ink(decoded(text))).toBe(ink(promised));
      }),
      RUNS,
    );
  });
});

describe('naming replaced letters', () => {
  it('names each letter once, with its first line', () => {
    expect(encodeText('a\r\nł ł\rœ', 'cp437').replaced).toEqual([
      { letter: 'ł', form: 'l', line: 2 },
      { letter: 'œ', form: 'oe', line: 3 },
    ]);
  });

  it('joins marks with their letters before it looks for them', () => {
    const { bytes, replaced } = encodeText('e\u0301', 'cp437');
    expect([iconv.decode(bytes, 'cp437'), replaced]).toEqual(['é', []]);
  });

  it('joins no more than 32 marks with a letter', () => {
    const dots = '\u0323'.repeat(31);
    expect(composed(`a${dots}\u0302`)).toBe(`ậ${dots.slice(1)}`);
    expect(composed(`a${dots}\u0323\u0302`)).toBe(`ạ${dots}\u0302`);
  });

  it('does not take a character that could not be decoded for an unused byte', () => {
    expect(encodeText('\uFFFD', 'windows-1252')).toMatchObject({ bytes: Buffer.from('?') });
  });

  it.each([
    ['a\u202fb\u00a0c', 'a b c'],
    ['a\u200bb\ufe0f', 'ab'],
  ])('replaces %j without naming it, because nothing visible changes', (text, shown) => {
    const { bytes, replaced } = encodeText(text, 'cp866');
    expect([iconv.decode(bytes, 'cp866').replaceAll('\u00a0', ' '), replaced]).toEqual([shown, []]);
  });
});
