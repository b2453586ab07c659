import type { Device, OpenDevice } from './device.js';

/** Devices by the scheme of their address. */
const openers: Record<string, () => Promise<OpenDevice>> = {};

export const SCHEMES: readonly string[] = Object.keys(openers);

/** @throws Error if no device has such an address */
export async function openDevice(address: URL): Promise<Device> {
  const opener = openers[address.protocol];
  if (!opener) throw new Error(`no printer has an address that begins with ${address.protocol}`);
  return (await opener())(address);
}
