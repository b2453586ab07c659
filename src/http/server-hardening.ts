import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Clock, type Milliseconds } from '../kernel/time.js';
import { wasAnsweredEarly } from './body/refused-bodies.js';
import { Connections } from './connections.js';
import { errorBody } from './error.filter.js';
import { ApiError } from './errors/api-error.js';
import type { Timeouts } from './http-options.js';
import { RequestContext } from './request.js';

const HALF_OPEN_MS: Milliseconds = 30_000;

/** Limits slow, half-closed, broken and pipelining connections, which no Fastify option does. */
@Injectable()
export class ServerHardening {
  constructor(
    private readonly connections: Connections,
    private readonly context: RequestContext,
    private readonly clock: Clock,
  ) {}

  harden(fastify: FastifyInstance, times: Timeouts): void {
    const { server } = fastify;
    const stalls = new StallWatch(times.check);
    const forgiven = new WeakMap<Socket, Forgiven>();
    this.connections.guard(server);
    server.once('close', () => stalls.stop());
    server.removeAllListeners('clientError').on('clientError', (error: BrokenRequest, socket: Socket) => {
      // The request may have arrived while this process was frozen: it is read next, so restart its timeout.
      if (!isTimeout(error) || !stalls.hasJustStalled) return this.answerBrokenRequest(error, socket);
      forgiven.set(socket, { error, bytesRead: socket.bytesRead });
      socket.setTimeout(times.request);
    });
    server.on('timeout', (socket: Socket) => {
      const { error, bytesRead } = forgiven.get(socket) ?? {};
      if (error && bytesRead === socket.bytesRead) this.answerBrokenRequest(error, socket);
      else endUnread(socket, times, stalls);
    });
    server.headersTimeout = times.headers;
    // Requests are answered also when their client has closed its half of the connection.
    Object.assign(server, { httpAllowHalfOpen: true });
    endUnusedAtClose(fastify);
    // Sends "100 Continue" after the header checks, so that a refused body is never sent.
    const checkFirst = (request: unknown, response: ServerResponse) =>
      server.emit('request', request, response);
    server.on('checkContinue', checkFirst);
    server.on('checkExpectation', checkFirst);
  }

  private answerBrokenRequest(error: BrokenRequest, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || wasAnsweredEarly(socket))
      return void socket.destroy();
    const ids = { requestId: this.context.newId(), correlationId: this.context.newId() };
    const surface = this.context.surfaceAt(this.urlOf(error, socket) ?? '/');
    const { status, body } = errorBody(surface, reasonOf(error), ids);
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
      date: new Date(this.clock.now()).toUTCString(),
      'x-svc-request-id': ids.requestId,
      'x-svc-correlation-id': ids.correlationId,
      ...this.context.headersOf(surface),
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${head.join('')}\r\n${text}`);
  }

  /** From the request line if the bytes begin with one, else the last URL of the connection. */
  private urlOf({ rawPacket }: BrokenRequest, socket: Socket): string | undefined {
    const line = REQUEST_LINE.exec(rawPacket?.toString('latin1', 0, MAX_REQUEST_LINE) ?? '');
    return line?.[1] ?? this.connections.lastUrl(socket);
  }
}

function endUnread(socket: Socket, times: Timeouts, stalls: StallWatch): void {
  // Node's other timeouts end a connection between two requests.
  if (socket.timeout !== times.unread) return void socket.destroy();
  // A quiet long poll or feed has nothing unsent. After a stall the client may have had no time to read.
  if (socket.writableLength === 0) return;
  if (stalls.hasJustStalled) socket.setTimeout(times.unread);
  else socket.destroy();
}

/** A connection answered during shutdown would stay open for the whole idle time. */
function endUnusedAtClose(fastify: FastifyInstance): void {
  const { server } = fastify;
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
}

/** Parser errors carry the unread bytes, timeouts do not. */
type BrokenRequest = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** A request that timed out in a stall, and the bytes of its connection that were read by then. */
interface Forgiven {
  readonly error: BrokenRequest;
  readonly bytesRead: number;
}

const MAX_REQUEST_LINE = 2_048;
/** The target is a path, or absolute (RFC 9112, 3.2.2). */
const REQUEST_LINE = /^[A-Z]+ ((?:https?:\/)?\/\S*)/i;

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

/** Longer than this many intervals: the process was frozen, or its machine slept. */
const INTERVALS = 2;

/** After a stall, timers fire before pending bytes are read, so clients look slower than they are. */
export class StallWatch {
  private tickedAt = performance.now();
  private forgivesUntil = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly everyMs: Milliseconds) {
    this.timer = setInterval(() => this.tick(), everyMs).unref();
  }

  /** Until one interval after the stall: by then all pending bytes are read. */
  get hasJustStalled(): boolean {
    return this.isLate || performance.now() < this.forgivesUntil;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private get isLate(): boolean {
    return performance.now() - this.tickedAt > INTERVALS * this.everyMs;
  }

  private tick(): void {
    const now = performance.now();
    if (this.isLate) this.forgivesUntil = now + this.everyMs;
    this.tickedAt = now;
  }
}
