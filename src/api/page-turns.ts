import type { FastifyRequest } from 'fastify';
import { ownerOf } from '../http/request.js';
import type { Clock, Milliseconds } from '../kernel/time.js';
import { ReadingPace, Turns } from './turns.js';

/** A full page takes about 1 MB until its client has read it. */
const PAGES = { ofProcess: 256, ofAccount: 8, ofOwner: 4, waiting: 1_000 };
const PATIENCE: Milliseconds = 30_000;

/** Bounds the pages of changes in memory: a page counts from its read until its client has the last byte. */
export class PageTurns {
  private readonly turns: Turns;

  constructor(private readonly clock: Clock) {
    this.turns = new Turns('pages of changes', PAGES, { clock, atMost: PATIENCE });
  }

  of(request: FastifyRequest): PageTurn {
    return new PageTurn(request, this.turns, this.clock);
  }
}

/** Turn of one request. */
export class PageTurn {
  private leave: (() => void) | undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly turns: Turns,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 429 if too many of the account wait, or this one has waited too long */
  async begin(): Promise<void> {
    const { request } = this;
    this.leave = await this.turns.take(ownerOf(request), request.principal?.credentialId ?? request.ip);
  }

  end(): void {
    this.leave?.();
    this.leave = undefined;
  }

  /** Call with the answer. Cuts the connection of a client that does not read. Returns what to call when it is sent. */
  send(bytes: number): () => void {
    const { socket } = this.request.raw;
    const sent = () => {
      isRead();
      socket.off('close', sent);
      this.end();
    };
    const isRead = new ReadingPace(this.clock, () => void socket.destroy()).given(bytes);
    socket.once('close', sent);
    if (socket.destroyed) sent();
    return sent;
  }
}
