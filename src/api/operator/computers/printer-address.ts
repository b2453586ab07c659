/** Devices of a computer that the service may name: an operator must not make an agent write to files. */
const DEVICE =
  /^\/(dev\/(usb\/lp|lp|tty(S|USB|ACM|AMA))\d{1,3}|dev\/serial\/by-(id|path)\/(?!.*\.\.)[\w.:+-]{1,200}|(COM|LPT)\d{1,3})$/i;
const SCHEMES = ['socket:', 'ipp:', 'ipps:', 'file:'];

/** What is wrong with the address of a printer without a queue, as the end of a sentence. */
export function problemOfAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be an address such as socket://10.0.0.7:9100';
  const { protocol, hostname, pathname, username, password } = new URL(address);
  if (!SCHEMES.includes(protocol)) return `must begin with ${SCHEMES.join(', ')}`;
  if (username || password) return 'must have no login: events would keep it';
  if (protocol === 'file:')
    return hostname === '' && DEVICE.test(pathname)
      ? undefined
      : 'must name a device such as file:/dev/usb/lp0';
  if (hostname === '') return 'must name a host';
  return protocol === 'socket:' && pathname.length > 1 ? 'must have no path behind the port' : undefined;
}
