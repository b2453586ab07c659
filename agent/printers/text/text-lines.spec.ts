import { isFromRight, pagesOf, runsOf } from './text-lines.js';

describe('cutting text into pages of lines', () => {
  it.each<[string, string, string[][]]>([
    ['ends a line at each kind of line end', 'a\nb\r\nc\rd', [['a', 'b', 'c'], ['d']]],
    ['begins no line after the end of the last one', 'a\nb\n', [['a', 'b']]],
    ['keeps empty lines', '\na\n\nb', [['', 'a', ''], ['b']]],
    ['continues a long line on the next', 'abcdefghi', [['abcd', 'efgh', 'i']]],
    ['begins a page at a form feed', 'a\fb', [['a'], ['b']]],
    ['begins no page after the form feed at the end', 'a\f', [['a']]],
    ['sets tabs every eight columns', 'a\tb', [['a   ', '    ', 'b']]],
    ['prints an empty page for no text', '', [['']]],
    ['counts a character beyond 16 bits once', '𝒜𝒜𝒜𝒜𝒜', [['𝒜𝒜𝒜𝒜', '𝒜']]],
    ['gives letters of East Asia two columns', '漢字かな', [['漢字', 'かな']]],
    ['keeps a wide letter in one line', 'abc漢', [['abc', '漢']]],
    ['gives marks no column', 'x̂x̂x̂x̂x', [['x̂x̂x̂x̂', 'x']]],
  ])('%s', (_, text, pages) => {
    expect([...pagesOf(text, 4, 3)]).toEqual(pages);
  });

  it('makes the pages one by one, so that a caller need not wait for all', () => {
    const pages = pagesOf('\f'.repeat(10_000_000), 80, 66);
    expect([pages.next().value, pages.next().value]).toEqual([[''], ['']]);
  });

  it('ends a line of more marks than letters have', () => {
    const [page] = [...pagesOf(`x${'\u0301'.repeat(40_000)}`, 80, 66)];
    expect(page!.map((line) => line.length)).toEqual([...Array.from({ length: 15 }, () => 2640), 401]);
  });
});

describe('ordering the parts of a line', () => {
  const fontOf = (letter: string): string => (/\p{Script=Hebrew}/u.test(letter) ? 'hebrew' : 'own');
  const shown = (line: string) => runsOf(line, fontOf).map(({ text, isReversed }) => [text, isReversed]);

  it.each<[string, string, [string, boolean][]]>([
    ['leaves Latin letters alone', 'abc 1', [['abc 1', false]]],
    [
      'turns Hebrew around, but not its numbers',
      'שלום 12 עולם',
      [
        ['עולם', true],
        [' ', true],
        ['12', false],
        [' ', true],
        ['שלום', true],
      ],
    ],
    [
      'keeps Hebrew within Latin at its place',
      'a של b',
      [
        ['a ', false],
        ['של', true],
        [' b', false],
      ],
    ],
    [
      'mirrors parentheses',
      '(א',
      [
        ['א', true],
        [')', true],
      ],
    ],
  ])('%s', (_, line, runs) => {
    expect(shown(line)).toEqual(runs);
  });

  it.each([
    ['שלום abc', true],
    ['abc שלום', false],
    ['abc', false],
  ])('begins %j at the right edge: %s', (line, isRight) => {
    expect(isFromRight(line)).toBe(isRight);
  });

  it('gives each wide letter a part of its own, so that it keeps its columns', () => {
    expect(runsOf('a漢字', fontOf).map(({ text, columns }) => [text, columns])).toEqual([
      ['a', 1],
      ['漢', 2],
      ['字', 2],
    ]);
  });
});
