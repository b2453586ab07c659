import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import { unpackedFont } from './woff.js';

const FILE = createRequire(import.meta.url).resolve(
  '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff',
);
const LETTERS = 'Agß€ЖΩ';

describe('unpacking a font', () => {
  const woff = readFileSync(FILE);
  const packed = fontkit.create(woff);
  const font = fontkit.create(unpackedFont(woff));

  it('keeps its letters, their outlines and their widths', () => {
    expect(font.characterSet).toEqual(packed.characterSet);
    const drawn = (from: typeof font) =>
      from.layout(LETTERS).glyphs.map(({ id, advanceWidth, path }) => [id, advanceWidth, path.toSVG()]);
    expect(drawn(font)).toEqual(drawn(packed));
  });

  it('keeps its names and measures', () => {
    const measures = ({ fullName, unitsPerEm, ascent, descent, numGlyphs }: typeof font) => [
      ...[fullName, unitsPerEm, ascent, descent, numGlyphs],
    ];
    expect(measures(font)).toEqual(measures(packed));
  });
});
