import koffi from 'koffi';
import type { DeviceMode } from './device-mode.js';

const NAME = koffi.array('char16_t', 32, 'String');

const shorts = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'int16_t']));
const words = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'uint16_t']));
const longs = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'uint32_t']));

/** DEVMODEW of wingdi.h, as printers use it. Data of the driver follow it. */
export const DeviceModeType = koffi.struct('DEVMODEW', {
  deviceName: NAME,
  ...words('specVersion', 'driverVersion', 'size', 'driverExtra'),
  ...longs('fields'),
  ...shorts('orientation', 'paperSize', 'paperLength', 'paperWidth', 'scale', 'copies', 'defaultSource'),
  ...shorts('printQuality', 'color', 'duplex', 'yResolution', 'ttOption', 'collate'),
  formName: NAME,
  ...words('logPixels'),
  ...longs('bitsPerPixel', 'pixelWidth', 'pixelHeight', 'nup', 'displayFrequency'),
  ...longs('icmMethod', 'icmIntent', 'mediaType', 'ditherType', 'reserved1', 'reserved2'),
  ...longs('panningWidth', 'panningHeight'),
});

export function readMode(memory: unknown): DeviceMode {
  return koffi.decode(memory, DeviceModeType) as DeviceMode;
}

/** A copy with other settings; the driver's own data stay. */
export function withMode(bytes: Uint8Array, mode: DeviceMode): Buffer {
  const copy = Buffer.from(bytes);
  koffi.encode(copy, DeviceModeType, mode);
  return copy;
}
