import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { AppModule } from '../../src/app/app.module.js';
import { addressOf, platformOver } from '../../src/app/platform.module.js';
import { Workers } from '../../src/app/workers.js';
import { HttpAdapter } from '../../src/http/http-adapter.js';
import { nestOptions } from '../../src/http/nest-logger.js';
import { loadConfig } from '../../src/config.js';
import { epochMs, instant, type Instant, type Milliseconds, Clock } from '../../src/kernel/time.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { api } from '../api.js';

/** A clock that stands in the past until it is moved. */
class PastClock extends Clock {
  private waiting: { readonly due: number; readonly callback: () => void }[] = [];

  constructor(private current: number) {
    super();
  }

  now(): Instant {
    return instant(this.current);
  }

  monotonic(): Milliseconds {
    return this.current;
  }

  after(delay: Milliseconds, callback: () => void): () => void {
    const entry = { due: this.current + delay, callback };
    this.waiting.push(entry);
    return () => (this.waiting = this.waiting.filter((one) => one !== entry));
  }

  advance(ms: Milliseconds): void {
    this.current += ms;
    const due = this.waiting.filter((one) => one.due <= this.current);
    this.waiting = this.waiting.filter((one) => one.due > this.current);
    for (const { callback } of due) callback();
  }
}

/** The service on a past clock: what its deciders decide has the times of yesterday. */
export class PastService {
  private constructor(
    readonly url: string,
    readonly operator: ReturnType<typeof api>,
    private readonly clock: PastClock,
    private readonly app: NestFastifyApplication,
    private readonly stores: Stores,
  ) {}

  /** @param ago how long before now its clock begins */
  static async start(dataDir: string, ago: Milliseconds): Promise<PastService> {
    const clock = new PastClock(Date.now() - ago);
    const stores = await openEmbeddedStores({
      dataDir,
      clock,
      projectionsUrl: new URL('../../src/app/configured-projections.js', import.meta.url).href,
    });
    const config = loadConfig({
      ...{ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '0', WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' },
    });
    const logger = pino({ level: 'silent' });
    const platform = await platformOver({
      ...{ config, stores, clock, logger, randomness: new SystemRandomness(), productVersion: 'demo' },
    });
    const adapter = new HttpAdapter(config);
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.over(platform),
      adapter,
      nestOptions(logger),
    );
    await app.listen(config.port, config.host);
    await app.get(Workers).start();
    const url = await addressOf(app);
    const token = readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim();
    return new PastService(url, api(`${url}/operator`, token), clock, app, stores);
  }

  get now(): Instant {
    return this.clock.now();
  }

  /** How far its clock is behind ours. */
  get left(): Milliseconds {
    return Date.now() - epochMs(this.now);
  }

  /** Moves the clock and fires what is due. */
  async advance(ms: Milliseconds): Promise<void> {
    this.clock.advance(ms);
    await this.app.get(Workers).timers.runDue();
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.stores.close();
  }
}
