/** Where `cups_page_header2_t` and PWG 5102.4 have their integers of 32 bits. */
const AT = {
  ...{
    collate: 264,
    duplex: 272,
    dpiX: 276,
    dpiY: 280,
    tray: 324,
    copies: 340,
    orientation: 344,
    tumble: 368,
  },
  ...{ width: 372, height: 376, bitsPerPixel: 388, bytesPerLine: 392, colorSpace: 400, pageCount: 452 },
} as const;
type Field = keyof typeof AT;
/** Of real numbers: the size of the sheet in points. */
const SHEET_AT = 428;
const SIZE_NAME_AT = 1732;
const HEADER = 1796;
/** Colour spaces whose zero is white. */
const BLACK = 3;
const WHITE = 255;

/** A page of CUPS or PWG raster. */
export class RasterPage {
  constructor(
    private readonly header: Buffer,
    private readonly isLittle: boolean,
    private readonly dots: Buffer,
  ) {}

  get(field: Field): number {
    return readInteger(this.header, AT[field], this.isLittle);
  }

  /** In points. */
  get sheet(): [width: number, height: number] {
    const read = (at: number): number =>
      this.isLittle ? this.header.readFloatLE(at) : this.header.readFloatBE(at);
    return [read(SHEET_AT), read(SHEET_AT + 4)];
  }

  get sizeName(): string {
    return this.header.toString('latin1', SIZE_NAME_AT).replace(/\0.*/s, '');
  }

  /** 0 for black, from the upper left corner. */
  gray(x: number, y: number): number {
    const bits = this.get('bitsPerPixel');
    const at = y * this.get('bytesPerLine') + ((x * bits) >> 3);
    if (bits === 1)
      return (((this.dots[at] ?? 0) >> (7 - (x & 7))) & 1) === (this.get('colorSpace') === BLACK ? 0 : 1)
        ? WHITE
        : 0;
    if (bits === 24) return Math.round((this.dots[at]! + this.dots[at + 1]! + this.dots[at + 2]!) / 3);
    return this.get('colorSpace') === BLACK ? WHITE - this.dots[at]! : this.dots[at]!;
  }

  /** The upper left corner of the page, a byte a dot. */
  corner(width: number, height: number): Uint8Array {
    const gray = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) gray[y * width + x] = this.gray(x, y);
    return gray;
  }

  /** The smallest box around everything that is darker than half; without any its width is negative. */
  ink() {
    const [width, height] = [this.get('width'), this.get('height')];
    const box = { left: width, top: height, right: 0, bottom: 0 };
    const line = this.get('bytesPerLine');
    const white = Buffer.alloc(line, this.get('colorSpace') === BLACK ? 0 : 0xff);
    for (let y = 0; y < height; y++) {
      if (white.compare(this.dots, y * line, (y + 1) * line) === 0) continue;
      for (let x = 0; x < width; x++) {
        if (this.gray(x, y) >= 128) continue;
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x + 1);
        box.top = Math.min(box.top, y);
        box.bottom = y + 1;
      }
    }
    return { ...box, width: box.right - box.left, height: box.bottom - box.top };
  }
}

/** Reads raster as filters and printers exchange it: not compressed (RaS3), or in runs (RaS2, also PWG raster). */
export function rasterPages(bytes: Buffer): RasterPage[] {
  const sync = bytes.toString('latin1', 0, 4);
  const isLittle = sync.endsWith('SaR');
  const version = isLittle ? sync[0] : sync[3];
  if (!/^(RaS[23]|[23]SaR)$/.test(sync)) throw new Error(`not a raster: ${JSON.stringify(sync)}`);
  const pages: RasterPage[] = [];
  for (let at = 4; at < bytes.length;) {
    const header = bytes.subarray(at, at + HEADER);
    at += HEADER;
    const [height, line] = [
      readInteger(header, AT.height, isLittle),
      readInteger(header, AT.bytesPerLine, isLittle),
    ];
    if (version === '3') {
      pages.push(new RasterPage(header, isLittle, bytes.subarray(at, at + height * line)));
      at += height * line;
    } else {
      const dots = Buffer.alloc(height * line);
      at = unpack(bytes, at, dots, line, Math.max(1, readInteger(header, AT.bitsPerPixel, isLittle) >> 3));
      pages.push(new RasterPage(header, isLittle, dots));
    }
  }
  return pages;
}

/** Runs of lines, each of runs of pixels. Returns where they end. */
function unpack(bytes: Buffer, start: number, dots: Buffer, line: number, pixel: number): number {
  let at = start;
  for (let row = 0; row < dots.length;) {
    const repeats = bytes[at++]! + 1;
    for (let x = 0; x < line;) {
      const code = bytes[at++]!;
      if (code === 128) throw new Error('an undefined run');
      const [length, isRun] = code < 128 ? [(code + 1) * pixel, true] : [(257 - code) * pixel, false];
      for (let offset = 0; offset < length; offset++)
        dots[row + x + offset] = bytes[at + (isRun ? offset % pixel : offset)]!;
      at += isRun ? pixel : length;
      x += length;
    }
    for (let repeat = 1; repeat < repeats; repeat++) dots.copy(dots, row + repeat * line, row, row + line);
    row += repeats * line;
  }
  return at;
}

function readInteger(header: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? header.readUInt32LE(at) : header.readUInt32BE(at);
}
