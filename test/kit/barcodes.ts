import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes, writeBarcode } from 'zxing-wasm/full';
import { drawnPdf } from './sample-pdfs.js';

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/full/zxing_full.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** Codes with a text that each can hold. */
export const BARCODES = {
  Code128: 'SHIP-0042-1234',
  QRCode: 'https://example.org/p/1234567',
  DataMatrix: 'LOT-20261125-0007',
  EAN13: '4006381333931',
} as const;
export type Barcode = keyof typeof BARCODES;

const LINEAR_HEIGHT = 40;

/** A page with a barcode of black boxes, whose modules have this size in points. */
export async function barcodePdf(format: Barcode, size: [number, number], module: number): Promise<Buffer> {
  const { symbol } = await writeBarcode(BARCODES[format], { format });
  const isLinear = format === 'Code128' || format === 'EAN13';
  const height = isLinear ? LINEAR_HEIGHT : module;
  const isBlack = (x: number, y: number): boolean => symbol.data[y * symbol.width + x] === 0;
  return drawnPdf(size, (page) => {
    for (let y = 0; y < (isLinear ? 1 : symbol.height); y++)
      for (let x = 0, end = 0; x < symbol.width; x = end) {
        end = x + 1;
        while (end < symbol.width && isBlack(end, y) === isBlack(x, y)) end++;
        const box = { x: 25 + x * module, y: size[1] - 50 - (y + 1) * height, height };
        if (isBlack(x, y)) page.drawRectangle({ ...box, width: (end - x) * module });
      }
  });
}

/** The text of the barcode in a picture of one byte a dot, 0 for black. */
export async function readBarcode(gray: Uint8Array, width: number): Promise<string | undefined> {
  const height = gray.length / width;
  // White, with the gray of each dot in three of its four bytes.
  const data = new Uint8ClampedArray(width * height * 4).fill(0xff);
  for (let dot = 0; dot < gray.length; dot++)
    data[dot * 4] = data[dot * 4 + 1] = data[dot * 4 + 2] = gray[dot]!;
  const picture = { data, width, height, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0];
  const [code] = await readBarcodes(picture, { maxNumberOfSymbols: 1 });
  return code?.text;
}
