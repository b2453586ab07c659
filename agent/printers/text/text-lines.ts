import bidiFactory, { type Bidi } from 'bidi-js';

/** Its types say that it is a module with a default export, but it is the function itself. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const TAB = 8;
/** Letters without width make no line longer than this: the time to draw one grows faster than its length. */
const LETTERS_PER_COLUMN = 33;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const WITHOUT_WIDTH = /^[\p{M}\p{Default_Ignorable_Code_Point}]$/u;
/** Letters as wide as two others: those of East Asia, and emoji (Unicode Standard Annex 11). */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** Letters of one direction and font. */
export interface Run<Font> {
  /** In the order of reading, without invisible letters. */
  readonly text: string;
  readonly font: Font;
  readonly isReversed: boolean;
  readonly columns: number;
}

/** Columns that a letter takes: 0, 1 or 2. */
export function columnsOf(letter: string): number {
  if (WITHOUT_WIDTH.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}

/** Cuts text into pages of lines, one by one: at line ends, form feeds, and where a line or page is full. */
export function* pagesOf(text: string, columns: number, rows: number): Generator<string[]> {
  const ended = text.replace(/\r\n?/g, '\n').replace(/\f$/, ''); // Most programs end the last page too.
  for (const part of piecesOf(ended, '\f')) {
    let page: string[] = [];
    // The end of the last line begins no other one.
    for (const line of piecesOf(part.replace(/\n$/, ''), '\n')) {
      for (const shown of wrapped(line, columns)) {
        if (page.length === rows) {
          yield page;
          page = [];
        }
        page.push(shown);
      }
    }
    yield page;
  }
}

/** Parts of a line from left to right on the paper, each in one font. */
export function runsOf<Font>(line: string, fontOf: (letter: string) => Font): Run<Font>[] {
  if (!RIGHT_TO_LEFT.test(line)) return inFonts([...line], false, fontOf);
  const { levels } = bidi.getEmbeddingLevels(line);
  const spans: { letters: string[]; level: number }[] = [];
  let index = 0;
  for (const letter of line) {
    const level = levels[index] ?? 0;
    index += letter.length;
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(letter) ?? letter) : letter;
    const last = spans.at(-1);
    if (last?.level === level) last.letters.push(shown);
    else spans.push({ letters: [shown], level });
  }
  return reordered(spans).flatMap(({ letters, level }) => {
    const runs = inFonts(letters, level % 2 === 1, fontOf);
    return level % 2 === 1 ? runs.reverse() : runs;
  });
}

/** True for a line that begins at the right edge. */
export function isFromRight(line: string): boolean {
  return RIGHT_TO_LEFT.test(line) && bidi.getEmbeddingLevels(line).paragraphs[0]?.level === 1;
}

/** Rule L2 of the Unicode Bidirectional Algorithm: turns each sequence of the higher levels around. */
function reordered<T extends { readonly level: number }>(spans: readonly T[]): T[] {
  const shown = [...spans];
  for (let level = Math.max(...spans.map((span) => span.level)); level > 0; level--) {
    for (let start = 0; start < shown.length; start++) {
      let end = start;
      while ((shown[end]?.level ?? -1) >= level) end++;
      shown.splice(start, end - start, ...shown.slice(start, end).reverse());
      start = end;
    }
  }
  return shown;
}

/** Letters without width stay in the font of the letter before them. */
function inFonts<Font>(
  letters: string[],
  isReversed: boolean,
  fontOf: (letter: string) => Font,
): Run<Font>[] {
  const runs: { text: string; font: Font; isReversed: boolean; columns: number; isWide: boolean }[] = [];
  for (const letter of letters) {
    const columns = columnsOf(letter);
    const last = runs.at(-1);
    const font = columns === 0 && last ? last.font : fontOf(letter);
    if (last && last.font === font && columns < 2 && (columns === 0 || !last.isWide)) {
      last.text += letter;
      last.columns += columns;
    } else {
      runs.push({ text: letter, font, isReversed, columns, isWide: columns === 2 });
    }
  }
  return runs;
}

function* piecesOf(text: string, separator: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
    yield text.slice(start, end);
    start = end + separator.length;
  }
  yield text.slice(start);
}

/** Sets tabs too. */
function* wrapped(line: string, columns: number): Generator<string> {
  let [shown, used, letters, column] = ['', 0, 0, 0];
  for (const given of line) {
    for (const letter of given === '\t' ? ' '.repeat(TAB - (column % TAB)) : [given]) {
      const width = columnsOf(letter);
      if ((used > 0 && used + width > columns) || letters === columns * LETTERS_PER_COLUMN) {
        yield shown;
        [shown, used, letters] = ['', 0, 0];
      }
      shown += letter;
      letters++;
      used += width;
      column += width;
    }
  }
  yield shown;
}
