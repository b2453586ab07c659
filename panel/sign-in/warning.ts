const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Plain http beyond this machine. */
export const isReadableOnTheWay = ({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>) =>
  protocol === 'http:' && !LOOPBACK.has(hostname);
