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
  const decoded = async (text: string): Promise<string> =>
    iconv.decode((await encodeText(text, encoding)).bytes, encoding);

  it('comes back as it was if the code page has every letter', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const encodable = await decoded(text);
        expect(await decoded(encodable)).toBe(encodable);
        expect((await encodeText(encodable, encoding)).replaced).toEqual([]);
      }),
      RUNS,
    );
  });

  it('has each letter, its form that is named, or nothing for what has no ink', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const text = given.replaceAll(/\P{M}\p{M}+/gu, (cluster) => cluster.normalize('NFC'));
        const { replaced } = await encodeText(text, encoding);
        const forms = new Map(replaced.map(({ letter, form }) => [letter, form]));
        const blank = (part: string): string => part.replaceAll(/\p{Zs}/gu, ' ');
        const ink = (part: string): string =>
          blank(part.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''));
        const promised = [...text].map((letter) => forms.get(letter) ?? letter).join('');
        expect(ink(await decoded(text))).toBe(ink(promised));
      }),
      RUNS,
    );
  });
});

describe('naming replaced letters', () => {
  it('names each letter once, with its first line', async () => {
    expect((await encodeText('a\r\nł ł\rœ', 'cp437')).replaced).toEqual([
      { letter: 'ł', form: 'l', line: 2 },
      { letter: 'œ', form: 'oe', line: 3 },
    ]);
  });

  it('joins marks with their letters before it looks for them', async () => {
    const { bytes, replaced } = await encodeText('e\u0301', 'cp437');
    expect([iconv.decode(bytes, 'cp437'), replaced]).toEqual(['é', []]);
  });

  it('joins no more than 32 marks with a letter', () => {
    const dots = '\u0323'.repeat(31);
    expect(composed(`a${dots}\u0302`)).toBe(`ậ${dots.slice(1)}`);
    expect(composed(`a${dots}\u0323\u0302`)).toBe(`ạ${dots}\u0302`);
  });

  it('does not take a character that could not be decoded for an unused byte', async () => {
    expect(await encodeText('\uFFFD', 'windows-1252')).toMatchObject({ bytes: Buffer.from('?') });
  });

  it.each([
    ['a\u202fb\u00a0c', 'a b c'],
    ['a\u200bb\ufe0f', 'ab'],
  ])('replaces %j without naming it, because nothing visible changes', async (text, shown) => {
    const { bytes, replaced } = await encodeText(text, 'cp866');
    expect([iconv.decode(bytes, 'cp866').replaceAll('\u00a0', ' '), replaced]).toEqual([shown, []]);
  });
});

describe('encoding a long text', () => {
  // A piece must end neither within a letter and its mark nor within a line end.
  const LINE = `${'ab'.repeat(4_999)}e\u0301\r\n`;

  it('gives the same bytes as its lines, and counts them', async () => {
    const { bytes } = await encodeText(LINE, 'cp437');
    const { bytes: all, replaced } = await encodeText(`${LINE.repeat(50)}ł`, 'cp437');
    expect(all).toEqual(Buffer.concat([...Array<Buffer>(50).fill(bytes), Buffer.from('l')]));
    expect(replaced).toEqual([{ letter: 'ł', form: 'l', line: 51 }]);
  });

  it('lets other work run between two pieces, and ends when that says so', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      running = setImmediate(count);
    };
    let running = setImmediate(count);
    await encodeText(LINE.repeat(50), 'cp437');
    clearImmediate(running);
    expect(turns).toBeGreaterThan(20);
    const lost = () => {
      throw new Error('the lease is lost');
    };
    await expect(encodeText(LINE, 'cp437', lost)).rejects.toThrow('the lease is lost');
  });
});
