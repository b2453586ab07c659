import type { Capabilities, InventoryPrinter } from '../../service/protocol.js';
import type { IppAttributes } from './ipp-message.js';

export const QUEUE_ATTRIBUTES = [
  'printer-name',
  'printer-uri-supported',
  'printer-type',
  'printer-state',
  'printer-state-reasons',
  'printer-is-accepting-jobs',
  'printer-make-and-model',
  'device-uri',
  'document-format-supported',
  'color-supported',
  'sides-supported',
  'media-supported',
];

/** printer-type bit of the server's default destination (cups_ptype_e). */
const DEFAULT_PRINTER = 0x20000;
const STOPPED = 5;
const LOST_CONTACT = ['offline-report', 'offline-error', 'offline', 'shutdown'];

export interface Queue {
  /** `/printers/<name>`, or `/classes/<name>`. */
  path: string;
  printer: InventoryPrinter;
}

/** Converts a CUPS destination for the inventory; undefined for an answer without a name. */
export function queueOf(provider: string, attributes: IppAttributes): Queue | undefined {
  const name = text(attributes, 'printer-name');
  if (name === undefined) return undefined;
  const device = text(attributes, 'device-uri');
  const path = text(attributes, 'printer-uri-supported')?.replace(/^[a-z]+:\/\/[^/]*/, '');
  return {
    path: path ?? `/printers/${encodeURIComponent(name)}`,
    printer: {
      printer_key: `${provider}:${name}`,
      name,
      driver: text(attributes, 'printer-make-and-model'),
      port: device && withoutLogin(device),
      is_default: (Number(attributes.get('printer-type')?.[0] ?? 0) & DEFAULT_PRINTER) !== 0,
      is_virtual: device?.startsWith('cups-pdf:') ?? false,
      online: isOnline(attributes),
      device_id: device && deviceIdOf(device),
      capabilities: capabilitiesOf(attributes),
    },
  };
}

function isOnline(attributes: IppAttributes): boolean {
  const reasons = texts(attributes, 'printer-state-reasons');
  return (
    attributes.get('printer-state')?.[0] !== STOPPED &&
    attributes.get('printer-is-accepting-jobs')?.[0] !== false &&
    !reasons.some((reason) => LOST_CONTACT.includes(reason))
  );
}

function capabilitiesOf(attributes: IppAttributes): Capabilities {
  const formats = texts(attributes, 'document-format-supported');
  const color = attributes.get('color-supported')?.[0];
  const sides = texts(attributes, 'sides-supported');
  return {
    content_types: [
      ...(formats.includes('application/pdf') ? (['pdf'] as const) : []),
      'raw',
      ...(formats.includes('text/plain') ? (['text'] as const) : []),
    ],
    color: typeof color === 'boolean' ? color : null,
    duplex: sides.length > 0 ? sides.some((side) => side.startsWith('two-sided')) : null,
    papers: texts(attributes, 'media-supported'),
  };
}

/** The address of the device, which tells its serial number or host. Others, such as `file:` and `/dev/null`, tell none. */
function deviceIdOf(device: string): string | undefined {
  const identifies = /^usb:.*[?&]serial=[^&?]|^(socket|ipps?|https?|lpd|dnssd|hp|bluetooth):\/\/?[^/]/i;
  return identifies.test(device) ? withoutLogin(device) : undefined;
}

/** Removes a login from a device address (`smb://user:password@host/queue`). */
function withoutLogin(device: string): string {
  return device.replace(/^([a-z0-9+.-]{1,40}:\/\/)[^/@]{1,400}@/i, '$1');
}

function text(attributes: IppAttributes, name: string): string | undefined {
  return texts(attributes, name)[0] || undefined;
}

function texts(attributes: IppAttributes, name: string): string[] {
  return (attributes.get(name) ?? []).filter((value) => typeof value === 'string');
}
