import koffi from 'koffi';
import type { DeviceMode, ModeChanges } from './device-mode.js';
import { readMode } from './device-mode-memory.js';
import { modeOf } from './driver-calls.js';
import type { Sheet } from '../pdf/page-layout.js';
import type { Strip } from '../pdf/page-strips.js';
import { SpoolerError, type Canvas } from './spooler-api.js';
import { checked } from './winspool-calls.js';

/** Indexes of GetDeviceCaps. */
const Capability = {
  horizontalPixels: 8,
  verticalPixels: 10,
  bitsPerPixel: 12,
  planes: 14,
  dpiX: 88,
  dpiY: 90,
  sheetWidth: 110,
  sheetHeight: 111,
  offsetX: 112,
  offsetY: 113,
} as const;
const SOURCE_COPY = 0x00cc0020;
const HEADER_BYTES = 40;

koffi.struct('DOCINFOW', {
  size: 'int',
  document: 'str16',
  outputFile: 'str16',
  datatype: 'str16',
  type: 'uint32_t',
});

const library = koffi.load('gdi32.dll');
const gdi = {
  createContext: library.func(
    'uintptr_t __stdcall CreateDCW(str16 driver, str16 device, str16 port, void *mode)',
  ),
  resetContext: library.func('uintptr_t __stdcall ResetDCW(uintptr_t context, void *mode)'),
  capability: library.func('int __stdcall GetDeviceCaps(uintptr_t context, int index)'),
  startDoc: library.func('int __stdcall StartDocW(uintptr_t context, DOCINFOW *info)'),
  startPage: library.func('int __stdcall StartPage(uintptr_t context)'),
  stretchBits: library.func(
    'int __stdcall StretchDIBits(uintptr_t context, int x, int y, int width, int height, int fromX, int fromY, int fromWidth, int fromHeight, void *bits, void *info, uint32_t usage, uint32_t operation)',
  ),
  endPage: library.func('int __stdcall EndPage(uintptr_t context)'),
  endDoc: library.func('int __stdcall EndDoc(uintptr_t context)'),
  abortDoc: library.func('int __stdcall AbortDoc(uintptr_t context)'),
  deleteContext: library.func('int __stdcall DeleteDC(uintptr_t context)'),
};

/** Opens a device context with the paper and settings that the user of this process chose for the queue. */
export async function openGdiCanvas(queue: string): Promise<Canvas> {
  const context = await checked('CreateDC', gdi.createContext, 'WINSPOOL', queue, null, null);
  // Without its settings a driver still prints, but not with others.
  const settings = await modeOf(queue).catch(() => undefined);
  return new GdiCanvas(context, queue, settings);
}

function sheetOf(context: number): Sheet {
  const capability = (index: number): number => Number(gdi.capability(context, index));
  const printable = {
    left: capability(Capability.offsetX),
    top: capability(Capability.offsetY),
    width: capability(Capability.horizontalPixels),
    height: capability(Capability.verticalPixels),
  };
  return {
    printable,
    // Drivers that write files may know no sheet.
    width: capability(Capability.sheetWidth) || printable.width,
    height: capability(Capability.sheetHeight) || printable.height,
    dpiX: capability(Capability.dpiX),
    dpiY: capability(Capability.dpiY),
    color: capability(Capability.bitsPerPixel) * capability(Capability.planes) > 1,
  };
}

class GdiCanvas implements Canvas {
  sheet: Sheet;
  mode: DeviceMode | undefined;
  changes: ModeChanges = {};

  constructor(
    private readonly context: number,
    private readonly queue: string,
    private readonly settings: Buffer | undefined,
  ) {
    this.sheet = sheetOf(context);
    this.mode = settings && readMode(settings);
  }

  async reset(changes: ModeChanges): Promise<void> {
    if (!this.settings) throw new SpoolerError('DocumentProperties', 0);
    const settings = await modeOf(this.queue, this.settings, changes);
    await checked('ResetDC', gdi.resetContext, this.context, settings);
    this.changes = changes;
    this.sheet = sheetOf(this.context);
    this.mode = readMode(settings);
  }

  startDocument(document: string): Promise<number> {
    const info = { size: koffi.sizeof('DOCINFOW'), document, outputFile: null, datatype: null, type: 0 };
    return checked('StartDoc', gdi.startDoc, this.context, info);
  }

  async startPage(): Promise<void> {
    await checked('StartPage', gdi.startPage, this.context);
  }

  async draw(strip: Strip): Promise<void> {
    const { x, y, stepX, stepY, columns, rows } = strip;
    await checked(
      ...(['StretchDIBits', gdi.stretchBits, this.context] as const),
      ...[x, y, columns * stepX, rows * stepY],
      ...[0, 0, columns, rows, strip.bytes, bitmapInfo(strip), 0, SOURCE_COPY],
    );
  }

  async endPage(): Promise<void> {
    await checked('EndPage', gdi.endPage, this.context);
  }

  async endDocument(): Promise<void> {
    await checked('EndDoc', gdi.endDoc, this.context);
  }

  async deleteJob(): Promise<void> {
    await checked('AbortDoc', gdi.abortDoc, this.context);
  }

  async close(): Promise<void> {
    await checked('DeleteDC', gdi.deleteContext, this.context);
  }
}

/** BITMAPINFO with its palette. A negative height means rows from top to bottom. */
function bitmapInfo({ columns, rows, bits, palette, bytes }: Strip): Buffer {
  const info = Buffer.alloc(HEADER_BYTES + palette.length * 4);
  info.writeUInt32LE(HEADER_BYTES, 0);
  info.writeInt32LE(columns, 4);
  info.writeInt32LE(-rows, 8);
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(bits, 14);
  info.writeUInt32LE(bytes.length, 20);
  info.writeUInt32LE(palette.length, 32);
  for (const [index, color] of palette.entries()) info.writeUInt32LE(color, HEADER_BYTES + index * 4);
  return info;
}
