import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NewConnections } from './new-connections.js';

/** Requests of a connection in progress; further ones wait, because answers come in order anyway. */
const MAX_SERVED = 16;
/** Of all connections; beyond it, a connection is ended that brings one more and has sixteen. */
const MAX_WAITING = 4_096;
/** The answer to the last one is the connection's last answer. */
const MAX_FAILURES = 10;
/** Delays a guessing client: 64 KiB of requests cost the parser as much as 100 valid ones. */
const HELD_MS = 2_000;

/** Ten failures within it slow the address down; a client with one old key needs longer. */
const GUESSING_MS = 10_000;

interface Connection {
  served: number;
  failures: number;
  failedSince?: number;
  url: string | undefined;
  isScheduled: boolean;
  readonly waiting: (() => void)[];
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Limits pipelined requests and failed authentications by connection. */
@Injectable()
export class Connections {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly opening = new NewConnections();
  private waiting = 0;

  /** Waiting requests do not reach the listener of the server. */
  guard(server: Server): void {
    const [serve] = server.listeners('request') as [Listener];
    server.off('request', serve);
    this.opening.guard(server, abortWithoutStacks);
    server.on('request', (request, response) => {
      this.admit(request, response, () => serve(request, response));
    });
  }

  /** Serves in a later turn if an earlier request waits, so that other connections get theirs. */
  admit({ socket, url }: IncomingMessage, response: EventEmitter, serve: () => void): void {
    const connection = this.of(socket);
    connection.url = url;
    if (connection.failures >= MAX_FAILURES) return;
    if (this.waiting >= MAX_WAITING && connection.waiting.length >= MAX_SERVED) return void socket.destroy();
    response.once('finish', () => {
      connection.served--;
      this.schedule(connection);
    });
    if (connection.served === 0 && connection.waiting.length === 0) return this.serve(connection, serve);
    connection.waiting.push(serve);
    this.waiting++;
    this.schedule(connection);
  }

  /** True if the connection must close, which happens after its answer. Reads no further. */
  hasFailedTooOften({ ip, raw: { socket, headers } }: FastifyRequest, isBeyondLimit: boolean): boolean {
    const connection = this.of(socket);
    connection.failedSince ??= performance.now();
    connection.failures += isBeyondLimit ? MAX_FAILURES : 1;
    if (connection.failures < MAX_FAILURES) return false;
    this.drop(connection);
    const isGuessing = isBeyondLimit || performance.now() - connection.failedSince < GUESSING_MS;
    // Connections of a proxy belong to all its clients.
    const isDirect = ip === socket.remoteAddress && headers['x-forwarded-for'] === undefined;
    if (isGuessing && isDirect) this.opening.slow(ip);
    socket.pause();
    socket.destroySoon = () => void setTimeout(() => socket.destroy(), HELD_MS).unref();
    return true;
  }

  lastUrl(socket: Socket): string | undefined {
    return this.connections.get(socket)?.url;
  }

  private schedule(connection: Connection): void {
    const { isScheduled, served, waiting } = connection;
    if (isScheduled || served >= MAX_SERVED || waiting.length === 0) return;
    connection.isScheduled = true;
    setImmediate(() => {
      connection.isScheduled = false;
      const next = waiting.shift();
      if (!next) return;
      this.waiting--;
      this.serve(connection, next);
      this.schedule(connection);
    });
  }

  private serve(connection: Connection, serve: () => void): void {
    connection.served++;
    serve();
  }

  private drop({ waiting }: Connection): void {
    this.waiting -= waiting.length;
    waiting.length = 0;
  }

  private of(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection: Connection = {
      served: 0,
      failures: 0,
      url: undefined,
      isScheduled: false,
      waiting: [],
    };
    this.connections.set(socket, connection);
    socket.once('close', () => this.drop(connection));
    return connection;
  }
}

/**
 * Node makes an error for each unanswered request of a connection that ends. The stacks of 500 errors, which one read
 * can bring, keep others waiting for 30 to 100 ms (p99 of the attack A4, docs/performance.md).
 */
function abortWithoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependListener('close', () => (Error.stackTraceLimit = 0));
  socket.on('close', () => (Error.stackTraceLimit = stackTraceLimit));
}
