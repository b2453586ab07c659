import { strideOf, type Band, type Placement } from './page-layout.js';

/** A part of a page that has ink. Around it the paper stays as it is. */
export interface Strip {
  /** Upper left corner, in dots from that of the printable area. */
  readonly x: number;
  readonly y: number;
  /** Each pixel covers so many dots. */
  readonly stepX: number;
  readonly stepY: number;
  readonly columns: number;
  readonly rows: number;
  /** Bits of a pixel. Up to 8 they are an index of `palette`. */
  readonly bits: 1 | 4 | 8 | 24;
  /** 0xRRGGBB */
  readonly palette: readonly number[];
  /** Rows from top to bottom, each filled up to four bytes. */
  readonly bytes: Uint8Array;
}

const WHITE = 0xffffff;
const MAX_PALETTE = 256;
/** A printer of one colour prints lighter grays as white. */
const THRESHOLD = 128;
/** Strips are cut at so many empty rows, as between lines of text: each costs a call. */
const MIN_GAP = 8;

/** Pixels of a band as PDFium has drawn them: blue, green and red, or gray. */
class Pixels {
  private readonly stride: number;
  private readonly white: Uint8Array;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly placement: Placement,
  ) {
    this.stride = strideOf(placement);
    this.white = new Uint8Array(placement.columns * (placement.color ? 3 : 1)).fill(0xff);
  }

  color(row: number, column: number): number {
    const { bytes } = this;
    if (!this.placement.color) {
      const gray = bytes[row * this.stride + column]!;
      return this.placement.shades ? gray * 0x010101 : gray < THRESHOLD ? 0 : WHITE;
    }
    const at = row * this.stride + column * 3;
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  }

  /** Columns from the first to behind the last one with ink; undefined for an empty row. */
  inkOf(row: number): readonly [from: number, to: number] | undefined {
    const start = row * this.stride;
    if (Buffer.compare(this.white, this.bytes.subarray(start, start + this.white.length)) === 0)
      return undefined;
    let from = 0;
    let to = this.placement.columns;
    while (from < to && this.color(row, from) === WHITE) from++;
    while (from < to && this.color(row, to - 1) === WHITE) to--;
    return from < to ? [from, to] : undefined;
  }
}

/** Finds the parts of a band that have ink, each with as few bits a pixel as its colours need. */
export function stripsOf(bytes: Uint8Array, placement: Placement, band: Band): Strip[] {
  const pixels = new Pixels(bytes, placement);
  return inkedParts(pixels, band.rows).map((part) => {
    const palette = paletteOf(pixels, part);
    const bits = bitsFor(palette.size);
    return {
      x: placement.x + part.left * placement.stepX,
      y: placement.y + (band.top + part.top) * placement.stepY,
      ...{ stepX: placement.stepX, stepY: placement.stepY, columns: part.columns, rows: part.rows, bits },
      palette: bits === 24 ? [] : [...palette.keys()],
      bytes: encode(pixels, part, bits, palette),
    };
  });
}

interface Part {
  left: number;
  top: number;
  columns: number;
  rows: number;
}

function inkedParts(pixels: Pixels, rows: number): Part[] {
  const parts: Part[] = [];
  for (let row = 0; row < rows; row++) {
    const ink = pixels.inkOf(row);
    if (!ink) continue;
    const last = parts.at(-1);
    if (!last || row - (last.top + last.rows) >= MIN_GAP) {
      parts.push({ left: ink[0], top: row, columns: ink[1] - ink[0], rows: 1 });
      continue;
    }
    const right = Math.max(last.left + last.columns, ink[1]);
    last.left = Math.min(last.left, ink[0]);
    last.columns = right - last.left;
    last.rows = row + 1 - last.top;
  }
  return parts;
}

/** Colours with their index, or more than a palette can have. */
function paletteOf(pixels: Pixels, { left, top, columns, rows }: Part): Map<number, number> {
  const palette = new Map<number, number>();
  let last = -1;
  for (let row = top; row < top + rows; row++) {
    for (let column = left; column < left + columns; column++) {
      const color = pixels.color(row, column);
      if (color === last) continue;
      last = color;
      if (!palette.has(color)) palette.set(color, palette.size);
      if (palette.size > MAX_PALETTE) return palette;
    }
  }
  return palette;
}

function bitsFor(colors: number): Strip['bits'] {
  if (colors <= 2) return 1;
  if (colors <= 16) return 4;
  return colors <= MAX_PALETTE ? 8 : 24;
}

function encode(pixels: Pixels, part: Part, bits: Strip['bits'], palette: Map<number, number>): Uint8Array {
  const { left, top, columns, rows } = part;
  const stride = Math.ceil((columns * bits) / 32) * 4;
  const bytes = new Uint8Array(stride * rows);
  let last = -1;
  let index = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const color = pixels.color(top + row, left + column);
      if (bits === 24) {
        const at = row * stride + column * 3;
        bytes[at] = color;
        bytes[at + 1] = color >> 8;
        bytes[at + 2] = color >> 16;
        continue;
      }
      if (color !== last) index = palette.get(color) ?? 0;
      last = color;
      const bit = column * bits;
      bytes[row * stride + (bit >> 3)]! |= index << (8 - bits - (bit & 7));
    }
  }
  return bytes;
}
