import { Injectable } from '@nestjs/common';
import { DeliveryRetention } from './ended-deliveries.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { FanOut } from './fan-out/fan-out.js';
import { RecoveryRunner } from './recovery/recovery-runner.js';

/** Can be stopped and started again. */
@Injectable()
export class WebhookLoops {
  constructor(
    private readonly fanOut: FanOut,
    private readonly dispatcher: Dispatcher,
    private readonly retention: DeliveryRetention,
    private readonly recoveries: RecoveryRunner,
  ) {}

  start(): void {
    this.dispatcher.start();
    this.fanOut.start();
    this.retention.start();
    this.recoveries.start();
  }

  /** Resolves when all attempts have ended, at the latest after the time limit of a request. */
  async stop(): Promise<void> {
    await Promise.all([this.fanOut.stop(), this.retention.stop(), this.recoveries.stop()]);
    await this.dispatcher.stop();
  }
}
