import type { Sheet } from '../../agent/printers/pdf/page-layout.js';
import type { Strip } from '../../agent/printers/pdf/page-strips.js';

export const A4_INCHES: [number, number] = [210 / 25.4, 297 / 25.4];
const WHITE = 0xffffff;

/** A sheet in a printer, in inches, with the same margin on each side. */
export function sheetOf([width, height]: [number, number], dpi: number, margin = 0.25, color = true): Sheet {
  const dots = (inches: number): number => Math.round(inches * dpi);
  return {
    ...{ width: dots(width), height: dots(height), dpiX: dpi, dpiY: dpi, color },
    printable: {
      left: dots(margin),
      top: dots(margin),
      width: dots(width) - 2 * dots(margin),
      height: dots(height) - 2 * dots(margin),
    },
  };
}

/** What the strips of a page look like on their sheet, dot by dot. */
export class DrawnSheet {
  private readonly dots: Uint32Array;

  constructor(
    readonly sheet: Sheet,
    strips: readonly Strip[],
  ) {
    this.dots = new Uint32Array(sheet.width * sheet.height).fill(WHITE);
    for (const strip of strips) this.paint(strip);
  }

  /** 0xRRGGBB of a dot, from the sheet's upper left corner. */
  at(x: number, y: number): number {
    return this.dots[y * this.sheet.width + x] ?? WHITE;
  }

  /** Colour at a point, in fractions of the sheet. */
  colorAt(acrossPart: number, alongPart: number): number {
    return this.at(Math.floor(acrossPart * this.sheet.width), Math.floor(alongPart * this.sheet.height));
  }

  colors(): Set<number> {
    return new Set(this.dots);
  }

  /** The smallest box around all ink; without ink its width is negative. */
  ink() {
    const { width, height } = this.sheet;
    const box = { left: width, top: height, right: 0, bottom: 0 };
    for (let y = 0; y < height; y++) {
      const row = this.dots.subarray(y * width, (y + 1) * width);
      const left = row.findIndex((color) => color !== WHITE);
      if (left < 0) continue;
      box.left = Math.min(box.left, left);
      box.right = Math.max(box.right, row.findLastIndex((color) => color !== WHITE) + 1);
      box.top = Math.min(box.top, y);
      box.bottom = y + 1;
    }
    return { ...box, width: box.right - box.left, height: box.bottom - box.top };
  }

  /** One byte a dot, 0 for black. */
  gray(): Uint8Array {
    const gray = new Uint8Array(this.dots.length);
    for (let dot = 0; dot < gray.length; dot++) {
      const color = this.dots[dot]!;
      gray[dot] = ((color >> 16) + ((color >> 8) & 0xff) + (color & 0xff)) / 3;
    }
    return gray;
  }

  private paint(strip: Strip): void {
    const { left, top } = this.sheet.printable;
    const { stepX, stepY, columns, rows } = strip;
    const { width } = this.sheet;
    for (let row = 0; row < rows; row++) {
      const start = (top + strip.y + row * stepY) * width + left + strip.x;
      for (let column = 0, end = 0; column < columns; column = end) {
        const color = colorOf(strip, row, column);
        for (end = column + 1; end < columns && colorOf(strip, row, end) === color;) end++;
        if (color === WHITE) continue;
        for (let line = 0; line < stepY; line++)
          this.dots.fill(color, start + line * width + column * stepX, start + line * width + end * stepX);
      }
    }
  }
}

function colorOf({ columns, bits, palette, bytes }: Strip, row: number, column: number): number {
  const start = row * Math.ceil((columns * bits) / 32) * 4;
  const byte = (at: number): number => bytes[start + column * 3 + at] ?? 0;
  if (bits === 24) return byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const bit = column * bits;
  const index = ((bytes[start + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
  return palette[index] ?? -1;
}
