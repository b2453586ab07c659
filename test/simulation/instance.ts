import 'reflect-metadata';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { AppModule } from '../../src/app/app.module.js';
import type { Platform } from '../../src/app/platform.module.js';
import { MemoryRateCounters } from '../../src/app/system/memory-rate-counters.js';
import { MasterKey } from '../../src/kernel/sealing.js';
import { sendingOf } from '../../src/app/webhook-sending.js';
import { Workers } from '../../src/app/workers.js';
import { SurfacesModule } from '../../src/api/surfaces.module.js';
import type { Config } from '../../src/config.js';
import type { WebhookClient } from '../../src/contexts/webhooks/index.js';
import { AggregateStore } from '../../src/event-sourcing/index.js';
import { HttpModule } from '../../src/http/http.module.js';
import { Api } from './api.js';
import { Program, ProgramClock, ProgramRandomness } from './engine/program.js';
import type { InstanceStores } from './instance-stores.js';

const PRODUCT_VERSION = '2.0.59';

export interface InstanceOptions {
  readonly config: Config;
  readonly open: (program: Program) => Promise<InstanceStores>;
  readonly webhookClient: (program: Program) => WebhookClient;
  /** Errors that the program logs and goes on after. */
  readonly onError: (error: unknown) => void;
}

/** One run of the service: the whole program behind its surfaces, without HTTP. */
export class Instance {
  private constructor(
    readonly program: Program,
    readonly stores: InstanceStores,
    readonly api: Api,
  ) {}

  static async start(program: Program, options: InstanceOptions): Promise<Instance> {
    const { sim, name } = program;
    const starting = Instance.begin(program, options);
    const { app, stores } = await starting.catch((error: unknown) => {
      program.crash();
      throw error;
    });
    const instance = new Instance(program, stores, new Api(app, program));
    await program.live(app.get(Workers).start());
    sim.trace.add(sim.now, `${name} is ready`);
    return instance;
  }

  private static async begin(program: Program, options: InstanceOptions) {
    const stores = await options.open(program);
    return { stores, app: await contextOf(platformOf(program, stores, options)) };
  }

  get isAlive(): boolean {
    return this.program.isAlive;
  }
}

function platformOf(program: Program, stores: InstanceStores, options: InstanceOptions): Platform {
  const { config, webhookClient, onError } = options;
  const logger = loggerOf(onError);
  const clock = new ProgramClock(program);
  const randomness = new ProgramRandomness(program);
  const registry = new Registry();
  const masterKey = new MasterKey(config.masterKey!);
  return {
    ...{ config, stores, clock, electionClock: clock, randomness, logger, registry },
    productVersion: PRODUCT_VERSION,
    masterKey,
    aggregates: new AggregateStore(stores.events, randomness, { shared: stores.leases !== undefined }),
    webhookClient: webhookClient(program),
    sending: sendingOf({ config, masterKey, productVersion: PRODUCT_VERSION, logger }, registry),
    rateCounters: new MemoryRateCounters(clock),
    blockedSignIns: { blocked: () => undefined } as unknown as Platform['blockedSignIns'],
    onLeadership: undefined,
    tracing: undefined,
    stop: new AbortController().signal,
  };
}

/** Passes what the program logs as an error on, and drops the rest. */
function loggerOf(onError: (error: unknown) => void) {
  const write = (line: string) => onError(line);
  return pino({ level: 'error', timestamp: false, base: null }, { write });
}

async function contextOf(platform: Platform): Promise<INestApplicationContext> {
  const whole = AppModule.over(platform);
  const imports = whole.imports!.map((one) =>
    (one as DynamicModule).module === HttpModule ? SurfacesModule.with(false) : one,
  );
  const root: DynamicModule = { ...whole, imports, controllers: [] };
  return NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
}
