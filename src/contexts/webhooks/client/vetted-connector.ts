import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Milliseconds } from '../../../kernel/time.js';
import { SendError } from './exchange.js';
import { isSameAddress, type AddressRule } from './target/address-rule.js';
import type { Admitted } from './target/admission.js';
import { hostOf, type Target } from './target/url-rule.js';

interface ConnectorOptions {
  readonly rule: AddressRule;
  /** Limit for all addresses together, TLS included. */
  readonly connectWithinMs: Milliseconds;
  /** PEM of trusted authorities, replacing the default ones. */
  readonly ca?: string;
  readonly onSocket?: (socket: Socket) => void;
  /** False after the caller gave up: prevents undici from connecting once more. */
  readonly isWanted: () => boolean;
}

const MIN_PER_ADDRESS_MS = 500;

/** Connects to admitted addresses only, even if the name resolves differently by now. */
export function vettedConnector(target: Admitted, options: ConnectorOptions): buildConnector.connector {
  return (_, callback) => {
    if (!options.isWanted()) return callback(new SendError('CONNECTION_FAILED', 'not wanted any more'), null);
    connectToAny(target, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Each address gets its share of the remaining time. */
async function connectToAny(target: Admitted, options: ConnectorOptions): Promise<Socket> {
  const { addresses } = target;
  const end = performance.now() + options.connectWithinMs;
  let failure: unknown = new SendError('CONNECTION_FAILED', 'no address');
  for (const [n, address] of addresses.entries()) {
    const left = end - performance.now();
    if (left <= 0) break;
    const share = Math.min(left, Math.max(left / (addresses.length - n), MIN_PER_ADDRESS_MS));
    try {
      return await connectTo(address, target, share, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connectTo(
  address: string,
  target: Target,
  withinMs: Milliseconds,
  { rule, ca, onSocket }: ConnectorOptions,
): Promise<Socket> {
  if (rule(address, target) !== undefined) return Promise.reject(new SendError('TARGET_REFUSED', address));
  const { url } = target;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ host: address, port, noDelay: true });
    onSocket?.(tcp);
    let phase: 'CONNECTION_FAILED' | 'TLS_FAILED' = 'CONNECTION_FAILED';
    const fail = (failure: SendError) => {
      clearTimeout(timer);
      tcp.destroy();
      reject(failure);
    };
    const broken = (error?: Error) => fail(new SendError(phase, 'not connected', { cause: error }));
    const done = (socket: Socket) => {
      clearTimeout(timer);
      socket.off('error', broken).off('close', broken);
      resolve(socket);
    };
    const timer = setTimeout(() => fail(new SendError('TIMEOUT', 'not connected in time')), withinMs);
    tcp.once('error', broken).once('close', () => broken());
    tcp.once('connect', () => {
      if (!isSameAddress(tcp.remoteAddress ?? '', address)) {
        return fail(new SendError('TARGET_REFUSED', 'connected elsewhere'));
      }
      if (url.protocol === 'http:') return done(tcp);
      phase = 'TLS_FAILED';
      const tls: TLSSocket = secure(tcp, url, ca);
      tls.once('error', broken).once('close', () => broken());
      tls.once('secureConnect', () => done(tls));
    });
  });
}

function secure(tcp: Socket, url: URL, ca: string | undefined): TLSSocket {
  const host = hostOf(url);
  return connectTls({
    socket: tcp,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}
