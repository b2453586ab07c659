import { existsSync, readFileSync } from 'node:fs';
import { PDFName, PDFString, type PDFContext } from 'pdf-lib';
import { drawnPdf } from './sample-pdfs.js';

/** Debian's package fonts-dejavu-core. */
export const FONT_FOLDER = '/usr/share/fonts/truetype/dejavu';
export const FONT_FILE = `${FONT_FOLDER}/DejaVuSans.ttf`;

/** Reason why documents cannot be drawn with fonts of this computer; undefined if they can. */
export function fontsMissing(): string | undefined {
  return existsSync(FONT_FILE)
    ? undefined
    : `${FONT_FILE} is not installed (Debian package fonts-dejavu-core)`;
}

/** How a document names a font that it does not embed. */
export type FontForm = 'Type1' | 'TrueType' | 'CID' | 'CID without letters';

/** A page with a text in one font that is not embedded. */
export function unembeddedPdf(name: string, form: FontForm, text: string, more = ''): Promise<Buffer> {
  const letters = [...text];
  const isSimple = form === 'Type1' || form === 'TrueType';
  return drawnPdf([300, 200], (page, { context }) => {
    const font = isSimple ? simpleFont(context, name, form, letters) : cidFont(context, name, form, letters);
    page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }));
    const codes = letters.map((_, index) => (index + 65).toString(16).padStart(isSimple ? 2 : 4, '0'));
    const content = `BT /F1 30 Tf 20 80 Td ${more} <${codes.join('')}> Tj ET`;
    page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  });
}

/** Without a descriptor if it is one of the standard fonts. */
function simpleFont(context: PDFContext, BaseFont: string, Subtype: string, letters: string[]) {
  const names = letters.map((letter) => `uni${hex(letter)}`);
  const Encoding = { Type: 'Encoding', BaseEncoding: 'WinAnsiEncoding', Differences: [65, ...names] };
  if (Subtype === 'Type1') return context.obj({ Type: 'Font', Subtype, BaseFont, Encoding });
  const widths = { FirstChar: 32, LastChar: 255, Widths: Array<number>(224).fill(600) };
  const FontDescriptor = descriptor(context, BaseFont);
  return context.obj({ Type: 'Font', Subtype, BaseFont, Encoding, FontDescriptor, ...widths });
}

function cidFont(context: PDFContext, BaseFont: string, form: FontForm, letters: string[]) {
  const descendant = context.obj({
    ...{ Type: 'Font', Subtype: 'CIDFontType2', BaseFont, DW: 1000 },
    FontDescriptor: descriptor(context, BaseFont),
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
  });
  const pairs = letters.map(
    (letter, index) => `<${(index + 65).toString(16).padStart(4, '0')}> <${hex(letter)}>`,
  );
  const map = `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
    ${letters.length} beginbfchar ${pairs.join(' ')} endbfchar endcmap`;
  return context.obj({
    ...{ Type: 'Font', Subtype: 'Type0', BaseFont, Encoding: 'Identity-H', DescendantFonts: [descendant] },
    ...(form === 'CID' ? { ToUnicode: context.register(context.stream(map)) } : {}),
  });
}

function descriptor(context: PDFContext, FontName: string) {
  return context.register(
    context.obj({
      ...{ Type: 'FontDescriptor', FontName, Flags: 32, FontBBox: [0, -200, 1000, 900], ItalicAngle: 0 },
      ...{ Ascent: 900, Descent: -200, CapHeight: 700, StemV: 80 },
    }),
  );
}

function hex(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** A collection of one font twice, the second time with other names. */
export function collectionOf(file: string): Buffer {
  const font = readFileSync(file);
  const count = font.readUInt16BE(4);
  const headerSize = 20;
  const header = Buffer.alloc(headerSize);
  header.write('ttcf', 'latin1');
  header.writeUInt32BE(0x00010000, 4);
  header.writeUInt32BE(2, 8);
  const directorySize = 12 + count * 16;
  header.writeUInt32BE(headerSize, 12);
  header.writeUInt32BE(headerSize + directorySize, 16);
  const directory = Buffer.from(font.subarray(0, directorySize));
  for (let at = 12 + 8; at < directorySize; at += 16)
    directory.writeUInt32BE(directory.readUInt32BE(at) + headerSize + 2 * directorySize - directorySize, at);
  return Buffer.concat([header, directory, directory, font.subarray(directorySize)]);
}
