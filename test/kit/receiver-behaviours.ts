import type { Socket } from 'node:net';

/** Reaction of a receiver to a complete request. */
export type Behaviour = (socket: Socket) => void;

const DRIP_MS = 20;
const KIB = Buffer.alloc(1024, 'x');

const say =
  (...lines: string[]): Behaviour =>
  (socket) =>
    void socket.write(lines.join('\r\n'));
const answer = (status: string, ...headers: string[]) =>
  say(`HTTP/1.1 ${status}`, 'Content-Length: 0', ...headers, '', '');

/** Writes the start, then slowly more of the same until the connection closes. */
const drip =
  (start: string, more: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(more), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  };

/** Writes as fast as the other side reads. */
const flood =
  (start: string, more: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(start);
    const pour = () => {
      if (!socket.destroyed) socket.write(more, () => setImmediate(pour));
    };
    pour();
  };

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Keyed by the first path segment. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  ok: answer('200 OK'),
  created: say('HTTP/1.1 201 Created', 'Content-Length: 6', '', 'thanks'),
  'hang-after-request': () => undefined,
  'drip-headers': drip('HTTP/1.1 200 OK\r\n', 'X-Drip: 1\r\n'),
  'drip-body': drip('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', 'x'),
  'drip-error-body': drip('HTTP/1.1 500 Oops\r\nContent-Length: 1000000\r\n\r\n', 'x'),
  'endless-body': flood(CHUNKED, Buffer.concat([Buffer.from('400\r\n'), KIB, Buffer.from('\r\n')])),
  'endless-error-body': flood('HTTP/1.1 503 Busy\r\nConnection: close\r\n\r\n', KIB),
  'gigabyte-body': flood(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`, KIB),
  'short-body': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
  'long-body': say('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'much longer than said'),
  'early-close': (socket) => void socket.end(),
  reset: (socket) => void socket.resetAndDestroy(),
  'reset-in-headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nX-', () => socket.resetAndDestroy()),
  'close-in-headers': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-'),
  'interim-flood': flood('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)),
  'interim-drip': drip('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  'early-hints-flood': flood('', `HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(8000)}\r\n\r\n`),
  'unasked-continue': say('HTTP/1.1 100 Continue', '', ''),
  'no-content-with-body': say('HTTP/1.1 204 No Content', 'Content-Length: 5', '', 'hello'),
  redirect: (socket) => answer('302 Found', `Location: http://127.0.0.1:${socket.localPort}/ok`)(socket),
  'redirect-elsewhere': answer('307 Temporary Redirect', 'Location: http://127.0.0.1:1/'),
  unauthorized: answer('401 Unauthorized', 'WWW-Authenticate: Basic'),
  gone: answer('410 Gone'),
  'throttled-absurd': answer('429 Slow', 'Retry-After: 99999999999999999999'),
  'throttled-date': answer('429 Slow', 'Retry-After: Fri, 31 Dec 2199 23:59:59 GMT'),
  'throttled-past': answer('429 Slow', 'Retry-After: Sat, 01 Jan 2000 00:00:00 GMT'),
  'throttled-nonsense': answer('503 Busy', 'Retry-After: -5 or so'),
  'throttled-briefly': answer('503 Busy', 'Retry-After: 90'),
  error: say('HTTP/1.1 500 Oops', 'Content-Length: 9', '', 'b\u0000r\u001b[1mk!'),
  markup: say('HTTP/1.1 500 Oops', 'Content-Length: 28', '', '<img src=x onerror=alert(1)>'),
  'huge-header': flood('HTTP/1.1 200 OK\r\n', `X-Huge: ${'x'.repeat(1024)}\r\n`),
  'http-0.9': (socket) => void socket.end('<html>hello</html>'),
  garbage: flood('', Buffer.from([0, 255, 13, 10, 7])),
  upgrade: say('HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', '', ''),
  'bad-chunks': say(CHUNKED.trimEnd(), '', 'zz', 'hello', ''),
  'bad-status': say('HTTP/1.1 abc OK', 'Content-Length: 0', '', ''),
  'two-lengths': say('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2', '', 'xx'),
  'gzip-bomb': flood('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', KIB),
};
