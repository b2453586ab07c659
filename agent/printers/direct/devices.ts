import { ByteDevice } from './byte-device.js';
import type { Device, DeviceSettings, OpenDevice } from '../device.js';
import { FilePort } from './file-port.js';
import { SocketPort } from './socket-port.js';

/** Devices by the scheme of their address. */
const openers: Readonly<Record<string, () => OpenDevice | Promise<OpenDevice>>> = {
  'socket:': () => (address) => new ByteDevice(new SocketPort(address)),
  'file:':
    () =>
    (address, { fromService }) =>
      new ByteDevice(new FilePort(address, fromService)),
  'ipp:': openIpp,
  'ipps:': openIpp,
};

/** Loaded for the first such printer: it brings the drawing of pages. */
async function openIpp(): Promise<OpenDevice> {
  return (await import('../ipp/ipp-printer.js')).openIppPrinter;
}

/** @throws Error if no device has such an address */
export async function openDevice(address: URL, settings: DeviceSettings): Promise<Device> {
  const opener = openers[address.protocol];
  if (!opener) throw new Error(`no printer has an address that begins with ${address.protocol}`);
  return (await opener())(address, settings);
}
