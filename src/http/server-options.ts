import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Milliseconds, Clock } from '../kernel/time.js';
import type { Connections } from './connections.js';
import { ApiError } from './errors/api-error.js';
import { errorBody, wasAnsweredEarly, type ErrorFilter } from './error.filter.js';
import { StallWatch } from './stall-watch.js';
import { headersOfAnswer } from './request.js';
import { surfaceOf, type Surface, type Versions } from './surface.js';

/** All in milliseconds. */
export interface Timeouts {
  /** From the first byte of a request to the end of its head. */
  readonly headers: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** Between two requests of a connection; longer than the usual 60 s of proxies. */
  readonly idle: number;
  /** Without progress of an answer that its client does not read; such answers are ended after one or two of these. */
  readonly unread: number;
  /** Check interval of the first two. */
  readonly check: number;
}

const defaultTimeouts: Timeouts = {
  headers: 10_000,
  request: 60_000,
  idle: 72_000,
  unread: 15_000,
  check: 1_000,
};

const MAX_HEADER_BYTES = 16_384;
const MAX_PARAM_LENGTH = 1_024;

/** Replaces the schema compilers of Fastify, which load 140 files at the start: no route has a schema. */
const NO_SCHEMAS = { buildValidator: noCompiler, buildSerializer: noCompiler };

/** A client that has closed its half, and neither sends nor takes anything for this time, is gone. */
const HALF_OPEN_MS: Milliseconds = 30_000;

interface Serving {
  readonly versions: Versions;
  readonly newId: () => string;
  readonly errors: ErrorFilter;
  /** The first one answers requests without a path. */
  readonly surfaces: readonly Surface[];
  readonly connections: Connections;
  readonly clock: Clock;
  readonly timeouts?: Partial<Timeouts>;
  readonly trustedProxies?: readonly string[];
}

export function serverOptions(serving: Serving) {
  const { newId, errors, timeouts, trustedProxies = [] } = serving;
  const times = { ...defaultTimeouts, ...timeouts };
  const stalls = new StallWatch(times.check);
  const fastify = {
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: Number.MAX_SAFE_INTEGER, // body-parser.ts has the limit.
    requestTimeout: times.request,
    keepAliveTimeout: times.idle,
    connectionTimeout: times.unread,
    genReqId: newId,
    requestIdHeader: false as const,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    skipMiddie: true, // Nest middleware is not used, and would cost every request.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, caseSensitive: true },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.check,
      requireHostHeader: false, // Checked in header-checks.ts instead, because Node would answer without a body.
    },
    // Paths that cannot be decoded, or with overlong segments, are answered with 404.
    frameworkErrors: (_: unknown, __: unknown, reply: FastifyReply) =>
      errors.respond(reply, new ApiError('routeUnknown')),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      // The request may have arrived while this process was frozen: it is read next, and has its time again.
      if (isTimeout(error) && stalls.hasJustStalled) socket.setTimeout(times.request);
      else answerBrokenRequest(error, socket, serving);
    },
  };
  return { fastify, timeouts: times, stalls };
}

/** Settings without a Fastify option. */
export function hardenServer(fastify: FastifyInstance, times: Timeouts, stalls: StallWatch): void {
  const { server } = fastify;
  server.once('close', () => stalls.stop());
  server.on('timeout', (socket: Socket) => {
    // Node sets other timeouts to end a connection between two requests.
    if (socket.timeout !== times.unread) return void socket.destroy();
    // A quiet long poll or feed has nothing unsent. After a stall the client may have had no time to read.
    if (socket.writableLength === 0) return;
    if (stalls.hasJustStalled) socket.setTimeout(times.unread);
    else socket.destroy();
  });
  server.headersTimeout = times.headers;
  // Requests are answered also when their client has closed its half of the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A connection answered during shutdown would otherwise stay open, and delay the shutdown, for the whole idle
  // time.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('end', () => socket.setTimeout(HALF_OPEN_MS));
  });
  fastify.addHook('preClose', (done) => {
    server.keepAliveTimeout = 1;
    // Browsers connect ahead of their next request; Node does not count such connections as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  // "100 Continue" is sent after the header checks, so a refused body is never sent.
  const checkFirst = (request: unknown, response: ServerResponse) =>
    server.emit('request', request, response);
  server.on('checkContinue', checkFirst);
  server.on('checkExpectation', checkFirst);
}

/** Answers a parser error or timeout on the raw socket, which then closes. */
function answerBrokenRequest(error: BrokenRequest, socket: Socket, serving: Serving): void {
  if (error.code === 'ECONNRESET' || !socket.writable || wasAnsweredEarly(socket))
    return void socket.destroy();
  const { versions, newId, clock } = serving;
  const ids = { requestId: newId(), correlationId: newId() };
  const surface = surfaceOf(serving.surfaces, urlOf(error, socket, serving) ?? '/');
  const { status, body } = errorBody(surface, reasonOf(error), ids);
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
    date: new Date(clock.now()).toUTCString(),
    'x-svc-request-id': ids.requestId,
    'x-svc-correlation-id': ids.correlationId,
    ...headersOfAnswer(surface, versions),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${head.join('')}\r\n${text}`);
}

/** An error of Node's parser has the bytes that it could not read; a timeout has none. */
type BrokenRequest = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const MAX_REQUEST_LINE = 2_048;
const REQUEST_LINE = /^[A-Z]+ (\/\S*)/;

/** The URL of the request line if the bytes begin with one, else of the last request of the connection. */
function urlOf({ rawPacket }: BrokenRequest, socket: Socket, { connections }: Serving): string | undefined {
  const line = REQUEST_LINE.exec(rawPacket?.toString('latin1', 0, MAX_REQUEST_LINE) ?? '');
  return line?.[1] ?? connections.lastUrl(socket);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

const isTimeout = ({ code }: NodeJS.ErrnoException) => code === 'ERR_HTTP_REQUEST_TIMEOUT';

function reasonOf(error: NodeJS.ErrnoException): ApiError {
  const { code } = error;
  if (isTimeout(error)) return new ApiError('requestTimeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headersTooLarge');
  return new ApiError('malformed', 'The request is not valid HTTP/1.1.');
}

function noCompiler(): never {
  throw new Error('routes have no Fastify schemas: their operations check requests');
}
