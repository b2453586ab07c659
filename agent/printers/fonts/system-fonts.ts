import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FontFace, plainName } from './font-file.js';

const FONT_FILE = /\.(ttf|otf|ttc|otc)$/i;
/** Weights differ by less. */
const SLOPE = 1000;
const NORMAL_WEIGHT = 400;
/** Fonts with many letters, the plain ones first; others follow by the names of their files. */
const PREFERRED = [
  ...['Arial', 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', 'Microsoft YaHei', 'Yu Gothic'],
  ...['MS Gothic', 'Malgun Gothic', 'Microsoft JhengHei', 'SimSun', 'Segoe UI Symbol', 'Nirmala UI'],
].map(plainName);

/** Finds fonts by name and by letters. Reads the files when it is first asked. */
export class SystemFonts {
  private found: FontFace[] | undefined;

  constructor(private readonly folders: readonly string[] = []) {}

  /** The face of this name whose style is nearest. */
  named(name: string, weight: number, isItalic: boolean): FontFace | undefined {
    const plain = plainName(name);
    const distance = (face: FontFace): number => distanceOf(face, weight, isItalic);
    const family = this.faces().filter((face) => face.families.has(plain));
    if (family.length === 0) return this.faces().find((face) => face.names.has(plain));
    return family.reduce((best, face) => (distance(face) < distance(best) ? face : best));
  }

  /** A face of the first family that has all letters, or else most of them; undefined if none has any. */
  covering(letters: ReadonlySet<number>, weight: number, isItalic: boolean): FontFace | undefined {
    const count = (face: FontFace): number => [...letters].filter((letter) => has(face, letter)).length;
    let best: FontFace | undefined;
    let most = 0;
    for (const face of this.faces()) {
      if (count(face) > most) [best, most] = [face, count(face)];
      if (most === letters.size) break;
    }
    const [family] = best?.families ?? [];
    const styled = family === undefined ? undefined : this.named(family, weight, isItalic);
    return styled && count(styled) === most ? styled : best;
  }

  private faces(): FontFace[] {
    this.found ??= this.folders.flatMap(facesIn).sort((a, b) => rank(a) - rank(b));
    return this.found;
  }
}

function rank(face: FontFace): number {
  const index = PREFERRED.findIndex((name) => face.families.has(name));
  const place = index < 0 ? PREFERRED.length : index;
  return place * 2 * SLOPE + distanceOf(face, NORMAL_WEIGHT, false);
}

function distanceOf(face: FontFace, weight: number, isItalic: boolean): number {
  return Math.abs(face.weight - weight) + (face.isItalic === isItalic ? 0 : SLOPE);
}

function facesIn(folder: string): FontFace[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => FONT_FILE.test(file)).flatMap((file) => facesOf(join(folder, file)));
  } catch {
    return []; // There is no such folder, or it may not be read.
  }
}

/** None for a damaged file. */
function facesOf(file: string): FontFace[] {
  try {
    return FontFace.facesOf(file);
  } catch {
    return [];
  }
}

function has(face: FontFace, letter: number): boolean {
  try {
    return face.has(letter);
  } catch {
    return false; // A damaged file.
  }
}
