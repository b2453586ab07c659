import anyAscii from 'any-ascii';
import iconv from 'iconv-lite';
import { setImmediate as turn } from 'node:timers/promises';
import type { TextEncoding } from '../../service/protocol.js';
import { composed } from './letters.js';

/** A letter that the code page lacks. */
export interface Replacement {
  readonly letter: string;
  /** Empty if it is left out. */
  readonly form: string;
  /** The first line with this letter, from 1. */
  readonly line: number;
}

/** Formatting without ink: joiners, marks of direction, soft hyphens. */
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;
const BLANK = /^\p{Zs}$/u;
const MARK = /^\p{M}$/u;
/** Scripts and signs that people read in Latin letters. Romanised Chinese would be wrong in a Japanese text. */
const READABLE_IN_LATIN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]$/u;
const EMOJI_NAME = /^:/;
/** Letters that look alike and that Unicode does not relate: Romanian, Ukrainian, and signs of Japanese code pages. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ ș: 'ş', ț: 'ţ', Ș: 'Ş', Ț: 'Ţ', і: 'i', І: 'I', ґ: 'г', Ґ: 'Г' },
  ...{ '¢': '￠', '£': '￡', '¥': '￥', '¬': '￢', '¦': '￤', '〜': '～', '−': '－', '‖': '∥' },
};
const UNKNOWN = '?';
/** Letters between two turns of the event loop, as far as possible with the marks that follow the last one. */
const PIECE = /.{1,20000}(?!\p{M})|.{1,20000}/gsu;

/**
 * Encodes text. A letter that the code page lacks is replaced by its nearest form there: a compatible letter, the
 * letter without some of its marks, Latin letters, else a question mark.
 * @param moved called after each piece; what it throws ends the work
 * @returns `replaced` names each such letter once; blanks and invisible characters are not named
 */
export async function encodeText(
  text: string,
  encoding: TextEncoding,
  moved: () => void = () => {},
): Promise<{ readonly bytes: Buffer; readonly replaced: Replacement[] }> {
  if (encoding === 'utf-8') return { bytes: Buffer.from(text), replaced: [] };
  const page = new CodePage(encoding);
  const replaced = new Map<string, Replacement>();
  const parts: Buffer[] = [];
  let line = 1;
  let before = '';
  for (const [piece] of text.matchAll(PIECE)) {
    let encodable = '';
    for (const letter of composed(piece)) {
      if (letter === '\r' || (letter === '\n' && before !== '\r')) line++;
      before = letter;
      const form = page.formOf(letter);
      encodable += form;
      if (form !== letter && isNamed(letter) && !replaced.has(letter)) {
        replaced.set(letter, { letter, form, line });
      }
    }
    parts.push(iconv.encode(encodable, encoding));
    await turn();
    moved();
  }
  return { bytes: Buffer.concat(parts), replaced: [...replaced.values()] };
}

class CodePage {
  private readonly forms = new Map<string, string>();

  constructor(private readonly encoding: TextEncoding) {}

  formOf(letter: string): string {
    const known = this.forms.get(letter);
    if (known !== undefined) return known;
    const form = this.has(letter) ? letter : this.nearest(letter);
    this.forms.set(letter, form);
    return form;
  }

  private nearest(letter: string): string {
    if (INVISIBLE.test(letter) || MARK.test(letter)) return '';
    if (BLANK.test(letter)) return ' ';
    return candidates(letter).find((form) => [...form].every((part) => this.has(part))) ?? UNKNOWN;
  }

  private has(letter: string): boolean {
    // The package decodes unused bytes to U+FFFD, and encodes it as one of them.
    return letter !== '\uFFFD' && iconv.decode(iconv.encode(letter, this.encoding), this.encoding) === letter;
  }
}

function candidates(letter: string): string[] {
  const latin = READABLE_IN_LATIN.test(letter) ? anyAscii(letter) : '';
  const forms = [letter.normalize('NFKC'), ALIKE[letter] ?? '', ...withFewerMarks(letter), latin];
  return forms.filter((form) => form !== '' && !EMOJI_NAME.test(form));
}

/** The letter without its last mark, without the last two … */
function withFewerMarks(letter: string): string[] {
  const parts = [...letter.normalize('NFD')];
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index - 1).join(''));
  return shorter.map((form) => form.normalize('NFC'));
}

function isNamed(letter: string): boolean {
  return !INVISIBLE.test(letter) && !BLANK.test(letter);
}
