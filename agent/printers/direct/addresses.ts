/** A printer as `--printer NAME=ADDRESS` or the service names it. */
export interface NamedAddress {
  /** At most 180 characters. */
  readonly name: string;
  readonly address: string;
}

const MAX_NAME = 180;
const MAX_ADDRESS = 255;
const SCHEMES = ['socket:', 'file:', 'ipp:', 'ipps:'];

/** Values of settings in the address: `socket://label:9100?status=zpl`. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  status: /^(none|zpl|escpos|snmp)$/,
  waiteof: /^(true|false)$/,
  community: /^[\x21-\x7e]{1,64}$/,
  snmpport: /^\d{1,5}$/,
  baud: /^\d{3,7}$/,
};
const SETTINGS_OF: Readonly<Record<string, readonly string[]>> = {
  'socket:': ['status', 'waiteof', 'community', 'snmpport'],
  'file:': ['baud'],
};

/** Printers of the system: names of devices that no regular file can have without an administrator. */
const DEVICES_OF_UNIX =
  /^\/dev\/(usb\/lp|lp|tty(S|USB|ACM|AMA))\d{1,3}$|^\/dev\/serial\/by-(id|path)\/[\w.:+-]{1,200}$/;
const DEVICES_OF_WINDOWS = /^(COM|LPT)\d{1,3}$/i;

/** @throws Error unless it is `NAME=ADDRESS` */
export function namedAddress(text: string): NamedAddress {
  const [name = '', ...rest] = text.split('=');
  const address = rest.join('=');
  if (!name.trim() || !text.includes('=') || [...name].length > MAX_NAME)
    throw new Error(`not NAME=ADDRESS with a name of 1 to ${MAX_NAME} characters`);
  parseAddress(address);
  return { name, address };
}

/** @throws Error with a sentence about the first thing that is wrong */
export function parseAddress(address: string): URL {
  if (!URL.canParse(address) || address.length > MAX_ADDRESS)
    throw new Error(`not an address of at most ${MAX_ADDRESS} characters: ${address}`);
  const url = new URL(address);
  const { protocol, hostname, pathname } = url;
  if (!SCHEMES.includes(protocol))
    throw new Error(`an address begins with ${SCHEMES.join(', ')}, not with ${protocol}`);
  if ((protocol === 'file:') === (hostname !== ''))
    throw new Error(`not socket://host or file:/path: ${address}`);
  if (protocol === 'socket:' && pathname.length > 1)
    throw new Error(`socket://host:port has no path: ${address}`);
  if (!isEncoded(pathname)) throw new Error(`a percent sign without its two digits: ${address}`);
  for (const [name, value] of SETTINGS_OF[protocol] ? url.searchParams : []) {
    if (!SETTINGS_OF[protocol]?.includes(name)) throw new Error(`${protocol} has no setting ${name}`);
    if (!SETTINGS[name]?.test(value)) throw new Error(`not a value of ${name}: ${value}`);
  }
  return url;
}

function isEncoded(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** The path of a `file:` address: `/dev/usb/lp0`, `COM3`, `C:\out.bin`. */
export function devicePath({ pathname }: URL): string {
  const path = decodeURIComponent(pathname);
  const ofWindows = path.slice(1);
  return DEVICES_OF_WINDOWS.test(ofWindows) || /^[a-z]:/i.test(ofWindows) ? ofWindows : path;
}

/** True for a device of the system. Only such paths are taken from the service, so that it cannot write to files. */
export function isDevicePath(path: string): boolean {
  return (DEVICES_OF_UNIX.test(path) && !path.includes('..')) || DEVICES_OF_WINDOWS.test(path);
}

/** Equal for addresses that lead to one port; IPP printers differ by login too, and serve several documents at once. */
export function portKey(address: URL): string {
  if (address.protocol.startsWith('ipp')) return address.href;
  const shown = shownAddress(address);
  return shown.startsWith('file:/') ? shown : shown.toLowerCase();
}

/** Without login and settings: port and identity in the inventory. */
export function shownAddress(address: URL): string {
  const { protocol, hostname, port, pathname } = address;
  if (protocol === 'file:') return `file:${devicePath(address)}`;
  const path = pathname.replace(/\/$/, '');
  const defaults: Record<string, string> = { 'socket:': ':9100', 'ipp:': ':631', 'ipps:': ':631' };
  return `${protocol}//${hostname}${port ? `:${port}` : (defaults[protocol] ?? '')}${path}`;
}
