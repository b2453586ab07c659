import type { ContentType, InventoryPrinter } from '../../service/protocol.js';
import { capabilitiesOf, isOnline, printerFacts, texts } from '../ipp/printer-facts.js';
import type { IppAttributes } from '../ipp/ipp-message.js';

export const QUEUE_ATTRIBUTES = [
  'printer-name',
  'printer-uri-supported',
  'printer-type',
  'printer-state',
  'printer-state-reasons',
  'printer-is-accepting-jobs',
  'printer-make-and-model',
  'device-uri',
  'printer-error-policy',
];

/** printer-type bit of the server's default destination (cups_ptype_e). */
const DEFAULT_PRINTER = 0x20000;

const REPEATING = ['retry-job', 'retry-current-job'];

export interface Queue {
  /** `/printers/<name>`, or `/classes/<name>`. */
  path: string;
  printer: InventoryPrinter;
  /** CUPS prints a job again from its first page when its printer has failed. */
  repeats: boolean;
}

/** Converts a CUPS destination for the inventory; undefined for an answer without a name. */
export function queueOf(provider: string, attributes: IppAttributes): Queue | undefined {
  const name = text(attributes, 'printer-name');
  if (name === undefined) return undefined;
  const device = text(attributes, 'device-uri');
  const address = text(attributes, 'printer-uri-supported')?.replace(/^[a-z]+:\/\/[^/]*/, '');
  const path = address ?? `/printers/${encodeURIComponent(name)}`;
  return {
    path,
    // The queues of a class have policies of their own.
    repeats:
      !path.startsWith('/classes/') && REPEATING.includes(text(attributes, 'printer-error-policy') ?? ''),
    printer: {
      printer_key: `${provider}:${name}`,
      name,
      driver: text(attributes, 'printer-make-and-model'),
      port: device && withoutLogin(device),
      is_default: (Number(attributes.get('printer-type')?.[0] ?? 0) & DEFAULT_PRINTER) !== 0,
      is_virtual: device?.startsWith('cups-pdf:') ?? false,
      online: isOnline(attributes),
      device_identity: device && identityOf(device),
      capabilities: capabilitiesOf(printerFacts(attributes), contentTypesOf(attributes)),
    },
  };
}

function contentTypesOf(attributes: IppAttributes): ContentType[] {
  const formats = texts(attributes, 'document-format-supported');
  return [
    ...(formats.includes('application/pdf') ? (['pdf'] as const) : []),
    'raw',
    ...(formats.includes('text/plain') ? (['text'] as const) : []),
  ];
}

/** The address of the device, which tells its serial number or host. Others, such as `file:` and `/dev/null`, tell none. */
function identityOf(device: string): string | undefined {
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
