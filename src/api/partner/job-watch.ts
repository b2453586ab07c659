import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Socket } from 'node:net';
import { categoryOf, idOf } from '../../kernel/ids.js';
import { epochMs, plus, type Milliseconds } from '../../kernel/time.js';
import { Clock } from '../../ports/clock.port.js';
import { EventStore } from '../../ports/event-store.port.js';
import { Waiters } from '../../event-sourcing/waiters.js';

export interface Waiting {
  readonly jobId: string;
  readonly atMost: Milliseconds;
  /** Ends the wait when it closes. */
  readonly socket: Socket;
}

/** Waits for changes of jobs. An event only wakes the waiters, which then read the job. */
@Injectable()
export class JobWatch implements OnModuleDestroy {
  private readonly waiters: Waiters;
  private readonly unsubscribe: () => void;

  constructor(
    events: EventStore,
    private readonly clock: Clock,
  ) {
    this.waiters = new Waiters(clock);
    this.unsubscribe = events.onAppended((appended) => {
      if (this.waiters.size === 0) return;
      for (const { stream } of appended) if (categoryOf(stream) === 'job') this.waiters.wake(idOf(stream));
    });
  }

  /** Number of current waiters. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Answers all waiters, because the service stops. */
  onModuleDestroy(): void {
    this.unsubscribe();
    this.waiters.closeAll();
  }

  /**
   * Reads until `enough` holds, the time is over, the client disconnects or the service stops; resolves to the
   * last value read.
   */
  async until<T>(
    { jobId, atMost, socket }: Waiting,
    look: () => Promise<T>,
    enough: (seen: T) => boolean,
  ): Promise<T> {
    const waiter = this.waiters.open(jobId);
    const hangUp = () => waiter.close();
    socket.once('close', hangUp);
    try {
      const deadline = plus(this.clock.now(), atMost);
      for (let awake = true; ;) {
        const seen = await look();
        const left = epochMs(deadline) - epochMs(this.clock.now());
        if (enough(seen) || !awake || left <= 0) return seen;
        awake = await waiter.wait(left);
      }
    } finally {
      socket.off('close', hangUp);
      waiter.close();
    }
  }
}
