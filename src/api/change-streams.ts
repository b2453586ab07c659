import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PassThrough } from 'node:stream';
import type { Waiter } from '../async/waiters.js';
import { BareAnswer, COMMENT, EVENT_STREAM } from '../http/answer.js';
import { onHangUp } from '../http/request.js';
import { Clock, type Milliseconds } from '../kernel/time.js';
import type { ChangePlace, ChangesPart } from './change-cursors.js';
import { Changes, type ChangesReader } from './changes.js';
import { sharedEnd } from './polling.js';
import { Turns } from './turns.js';

export interface Followed {
  readonly reader: ChangesReader;
  readonly from: ChangePlace;
  /** False once the log was rolled back. */
  readonly isSame: () => boolean;
}

const BETWEEN_COMMENTS: Milliseconds = 15_000;
/** A client that reads nothing for so long is gone. */
const UNREAD_MS: Milliseconds = 60_000;
const STREAMED_TOGETHER = 100;
/** In a turn of the event loop: 1,000 streams with a new event would keep others waiting. */
const STEPS = { ofProcess: 32, ofAccount: 16, ofOwner: 16, waiting: Infinity };

/** Answers changes as server-sent events. */
@Injectable()
export class ChangeStreams {
  private readonly steps = new Turns('steps of streams', STEPS);
  /** Streams that share a part write the same bytes. */
  private readonly chunks = new WeakMap<ChangesPart, Buffer>();

  constructor(
    private readonly changes: Changes,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 429, 503 if too many wait */
  open(request: FastifyRequest, followed: Followed): BareAnswer {
    const waiter = this.changes.waiter(followed.reader);
    const out = new PassThrough();
    const leave = () => void out.destroy();
    const stopListening = onHangUp(request, leave);
    out.on('error', () => undefined);
    out.once('close', () => {
      stopListening();
      waiter.close();
    });
    const end = () => void out.end();
    this.follow(followed, waiter, out).then(end, end);
    return new BareAnswer(200, out, EVENT_STREAM);
  }

  /** Until the client leaves, its credential is revoked, the log is rolled back or the service stops. */
  private async follow({ reader, from, isSame }: Followed, waiter: Waiter, out: PassThrough) {
    let at = from;
    out.write(COMMENT);
    while (!out.destroyed && !this.changes.isStopped) {
      const part = await this.changes.read(reader, at, STREAMED_TOGETHER);
      const endStep = await this.steps.take(reader.payer, reader.payer);
      const isValid = await reader.isStillValid().finally(() => setImmediate(endStep));
      if (!isValid || !isSame()) return;
      const isFree = part.next.cursor === at.cursor || out.write(this.chunkOf(reader, part));
      at = part.next;
      if (!isFree) await this.drained(out);
      if (part.hasMore || (await waiter.wait(this.untilComment())) || out.destroyed) continue;
      out.write(COMMENT);
    }
  }

  /** Streams that wait comment together, so that their credentials are looked up together. */
  private untilComment(): Milliseconds {
    const now = this.clock.monotonic();
    return sharedEnd(now + BETWEEN_COMMENTS) - now;
  }

  private chunkOf(reader: ChangesReader, part: ChangesPart): Buffer {
    const known = this.chunks.get(part);
    if (known) return known;
    const chunk = Buffer.from(this.messages(reader, part));
    this.chunks.set(part, chunk);
    return chunk;
  }

  /** Without items, the id alone moves the client on. */
  private messages(reader: ChangesReader, { items, next }: ChangesPart): string {
    if (items.length === 0) return `id: ${next.cursor}\n\n`;
    const { cursors } = this.changes;
    const message = ({ event, json }: ChangesPart['items'][number]) =>
      `id: ${cursors.after(reader, event).cursor}\ndata: ${json}\n\n`;
    return items.map(message).join('');
  }

  /** Resolves when the client has read, or is gone. */
  private drained(out: PassThrough): Promise<void> {
    const cancel = this.clock.after(UNREAD_MS, () => void out.destroy());
    return new Promise((resolve) => {
      const go = () => {
        cancel();
        out.off('drain', go).off('close', go);
        resolve();
      };
      out.once('drain', go).once('close', go);
    });
  }
}
