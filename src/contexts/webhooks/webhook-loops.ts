import { Injectable } from '@nestjs/common';
import { Dispatcher } from './dispatch/dispatcher.js';
import { FanOut } from './fan-out/fan-out.js';

/** Fan-out and dispatcher of the sending instance. Can be stopped and started again. */
@Injectable()
export class WebhookLoops {
  constructor(
    private readonly fanOut: FanOut,
    private readonly dispatcher: Dispatcher,
  ) {}

  start(): void {
    this.dispatcher.start();
    this.fanOut.start();
  }

  /** Call it when the log was rolled back. */
  startOver(): void {
    this.fanOut.startOver();
  }

  /** Resolves when all current attempts have ended, at the latest after the time limit of a request. */
  async stop(): Promise<void> {
    await this.fanOut.stop();
    await this.dispatcher.stop();
  }
}
