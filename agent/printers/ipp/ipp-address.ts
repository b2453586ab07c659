import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { IppServer } from './ipp-client.js';

const DEFAULT_PORT = 631;

/**
 * The server of `ipp://` or `ipps://`, perhaps with a login. Printers sign their certificates themselves: the first one
 * is trusted as long as the Agent runs, or the one that the address names (`?sha256=` and its fingerprint in hex).
 */
export function ippPrinter(address: URL): IppServer {
  const { protocol, hostname, port, username, password } = address;
  const host = `${hostname}:${port || DEFAULT_PORT}`;
  const isSecure = protocol === 'ipps:';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin: `${isSecure ? 'https' : 'http'}://${host}`,
    uri: `${protocol}//${host}`,
    authorization: username ? `Basic ${Buffer.from(login).toString('base64')}` : undefined,
    connector: isSecure ? pinning(address.searchParams.get('sha256')) : undefined,
  };
}

function pinning(named: string | null): buildConnector.connector {
  let pinned = named?.replaceAll(':', '').toLowerCase();
  const connect = buildConnector({ timeout: 5000, rejectUnauthorized: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      const { raw } = (socket as TLSSocket).getPeerCertificate();
      const found = createHash('sha256').update(raw).digest('hex');
      pinned ??= found;
      if (found === pinned) return callback(null, socket);
      socket.destroy();
      callback(new Error(`the printer has another certificate than before: sha256 ${found}`), null);
    });
}
