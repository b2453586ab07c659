import koffi from 'koffi';
import { displayable } from '../../service/displayable.js';
import { changedMode, type ModeChanges } from './device-mode.js';
import { DeviceModeType, readMode, withMode } from './device-mode-memory.js';
import type { DriverFacts } from './driver-facts.js';
import type { Size } from './papers.js';
import { SpoolerError } from './spooler-api.js';
import { checked, run, underWine } from './winspool-calls.js';

/** DM_OUT_BUFFER and DM_IN_BUFFER. */
const OUT = 2;
const IN = 8;
/** Indexes of DeviceCapabilities (DC_*). */
const Capability = {
  ...{ fields: 1, papers: 2, paperSize: 3, minExtent: 4, maxExtent: 5, bins: 6, duplex: 7, binNames: 12 },
  ...{ resolutions: 13, paperNames: 16, copies: 18, collate: 22, colorDevice: 32 },
} as const;
/** DM_PAPERLENGTH and DM_PAPERWIDTH. */
const FREE_SIZE = 0xc;
/** Characters of a name. */
const PAPER_NAME = 64;
const BIN_NAME = 24;
const MAX_ITEMS = 2000;
/** Fields of DEVMODEW for lengths hold no more. */
const MAX_SHORT = 0x7fff;

const library = koffi.load('winspool.drv');
const winspool = {
  openPrinter: library.func(
    'int __stdcall OpenPrinterW(str16 name, _Out_ uintptr_t *handle, void *defaults)',
  ),
  closePrinter: library.func('int __stdcall ClosePrinter(uintptr_t handle)'),
  documentProperties: library.func(
    'int32_t __stdcall DocumentPropertiesW(uintptr_t window, uintptr_t printer, str16 device, _Out_ uint8_t *out, void *in, uint32_t mode)',
  ),
  capabilities: library.func(
    'int32_t __stdcall DeviceCapabilitiesW(str16 device, str16 port, uint16_t capability, _Out_ uint8_t *out, void *mode)',
  ),
};

export async function openPrinter(name: string): Promise<number> {
  const handle = [0];
  await checked('OpenPrinter', winspool.openPrinter, name, handle, null);
  return handle[0] ?? 0;
}

export async function closePrinter(handle: number): Promise<void> {
  await checked('ClosePrinter', winspool.closePrinter, handle);
}

/** DEVMODEW of a queue, with the driver's own data: its settings, or what its driver makes of changes to `base`. */
export async function modeOf(queue: string, base?: Buffer, changes: ModeChanges = {}): Promise<Buffer> {
  const printer = await openPrinter(queue);
  const properties = async (out: Buffer | null, given: Buffer | null, mode: number): Promise<number> => {
    const result = Number(await run(winspool.documentProperties, 0, printer, queue, out, given, mode));
    if (result < 0) throw new SpoolerError('DocumentProperties', 0);
    return result;
  };
  try {
    const out = Buffer.alloc(Math.max(koffi.sizeof(DeviceModeType), await properties(null, null, 0)));
    const given = base && withMode(base, changedMode(readMode(base), changes));
    await properties(out, given ?? null, given ? IN | OUT : OUT);
    return out;
  } finally {
    await closePrinter(printer);
  }
}

/** Asks the driver what it can do. */
export async function driverFacts(queue: string, port: string): Promise<DriverFacts> {
  const ask = async (capability: number, out: Buffer | null = null): Promise<number> =>
    Number(await run(winspool.capabilities, queue, port, capability, out, null));
  /** Items of so many bytes; none if the driver does not tell. */
  const items = async <T>(
    capability: number,
    size: number,
    read: (bytes: Buffer, at: number) => T,
  ): Promise<T[]> => {
    const count = Math.min(await ask(capability), MAX_ITEMS);
    if (count <= 0) return [];
    // Drivers may find more items in the second call.
    const bytes = Buffer.alloc((count + MAX_ITEMS) * size);
    const found = Math.min(await ask(capability, bytes), count);
    return Array.from({ length: Math.max(0, found) }, (_, index) => read(bytes, index * size));
  };
  const word = (bytes: Buffer, at: number): number => bytes.readUInt16LE(at);
  const pair = (bytes: Buffer, at: number) => [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)] as const;
  const name = (length: number) => (bytes: Buffer, at: number) =>
    displayable(bytes.toString('utf16le', at, at + length * 2).split('\0', 1)[0]!, length);
  const ids = await items(Capability.papers, 2, word);
  const names = await items(Capability.paperNames, PAPER_NAME * 2, name(PAPER_NAME));
  const sizes = await items(Capability.paperSize, 8, pair);
  const bins = await items(Capability.bins, 2, word);
  const binNames = await items(Capability.binNames, BIN_NAME * 2, name(BIN_NAME));
  const hasFreeSize = ((await ask(Capability.fields)) & FREE_SIZE) === FREE_SIZE;
  const [min, max] = [await ask(Capability.minExtent), await ask(Capability.maxExtent)];
  const color = await ask(Capability.colorDevice);
  return {
    papers: ids.map((id, index) => ({ id, name: names[index] ?? '', size: inMillimetres(sizes[index]) })),
    ...(hasFreeSize && min !== -1 && max !== -1 && { freeSize: { min: extent(min), max: extent(max) } }),
    trays: bins.flatMap((id, index) => (binNames[index] ? [{ id, name: binNames[index] }] : [])),
    duplex: (await ask(Capability.duplex)) === 1,
    color: color < 0 ? null : color === 1,
    // Wine's driver confirms copies, but makes none.
    copies: underWine ? 1 : Math.max(1, await ask(Capability.copies)),
    collate: (await ask(Capability.collate)) === 1,
    resolutions: (await items(Capability.resolutions, 8, pair)).filter(([x, y]) => x > 0 && y > 0),
  };
}

/** Of tenths. */
function inMillimetres([width, length]: readonly [number, number] = [0, 0]): Size {
  return [width / 10, length / 10];
}

/** Width and length in one number. */
function extent(packed: number): Size {
  return inMillimetres([Math.min(packed & 0xffff, MAX_SHORT), Math.min(packed >>> 16, MAX_SHORT)]);
}
