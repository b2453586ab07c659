import { type Line, linesOf, pagesOf } from './export-import.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* cut(text: string, every: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += every) yield bytes.subarray(at, at + every);
}

describe('reading lines', () => {
  it.each([1, 2, 3, 7, 1000])('joins pieces of %i bytes', async (every) => {
    const lines = await all(linesOf(cut('{"a":"Größe"}\n\n{"b":"🖨"}\r\n{"c":1}', every)));
    expect(lines.map(({ number, text }) => [number, JSON.parse(text)])).toEqual([
      [1, { a: 'Größe' }],
      [3, { b: '🖨' }],
      [4, { c: 1 }],
    ]);
    expect(lines[0]!.bytes).toBe(15);
  });

  it('rejects invalid UTF-8', async () => {
    const latin = (async function* () {
      yield Uint8Array.of(0x7b, 0xf6, 0x7d, 0x0a);
    })();
    await expect(all(linesOf(latin))).rejects.toThrow('utf-8');
  });
});

describe('grouping lines into pages', () => {
  const lines = async function* (...sizes: number[]): AsyncGenerator<Line> {
    for (const [index, bytes] of sizes.entries()) yield { number: index + 1, text: '', bytes };
  };
  const sizes = async (...given: number[]) =>
    (await all(pagesOf(lines(...given), { lines: 3, bytes: 10 }))).map((page) =>
      page.map(({ bytes }) => bytes),
    );

  it('fills them up to both limits', async () => {
    expect(await sizes(1, 1, 1, 1)).toEqual([[1, 1, 1], [1]]);
    expect(await sizes(6, 4, 1, 10)).toEqual([[6, 4], [1], [10]]);
    expect(await sizes()).toEqual([]);
  });

  it('puts a line above the limit on its own page', async () => {
    expect(await sizes(1, 11, 1)).toEqual([[1], [11], [1]]);
  });
});
