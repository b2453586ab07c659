import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { type DestinationStream, pino } from 'pino';
import { MemoryRateCounters } from '../../../src/app/system/memory-rate-counters.js';
import { SystemRandomness } from '../../../src/app/system/system-randomness.js';
import { surfaces } from '../../../src/api/surfaces.js';
import { ACCESS, type Access, type Principal } from '../../../src/http/authentication.js';
import { HttpAdapter } from '../../../src/http/http-adapter.js';
import { HttpModule } from '../../../src/http/http.module.js';
import type { HttpOptions, Timeouts } from '../../../src/http/http-options.js';
import { nestOptions } from '../../../src/http/nest-logger.js';
import { Randomness } from '../../../src/kernel/ids.js';
import { RateCounters } from '../../../src/kernel/rate-counters.js';
import { Clock } from '../../../src/kernel/time.js';
import { clientOf } from './client.js';
import { ManualClock } from '../manual-clock.js';
import { DemoModule } from './demo-surface.js';

const principal = (kind: Principal['kind'], credentialId: string, ...scopes: string[]): Principal => ({
  kind,
  credentialId,
  accountId: 'account-1',
  scopes: new Set(scopes),
});

/** Principals of the demo app by secret. */
const credentials: Readonly<Record<string, Principal>> = {
  full: principal('api_key', 'key-full', 'things:read', 'things:write'),
  reader: principal('api_key', 'key-reader', 'things:read'),
  suspended: principal('api_key', 'key-suspended', 'things:read', 'things:write'),
  partner: principal('partner', 'partner-1', 'accounts:write'),
  device: principal('device', 'computer-1'),
  operator: principal('operator', 'operator'),
};

const authenticator = { authenticate: async (secret: string) => credentials[secret] };

const access: Access = {
  integration: {
    authenticator,
    admission: ({ credentialId }) => (credentialId === 'key-suspended' ? 'SVC_ACCOUNT_SUSPENDED' : undefined),
  },
  partner: { authenticator },
  agent: { authenticator },
  operator: { authenticator },
};

/** Provides a value to one module, or to all. */
const valuesModule = (values: ReadonlyMap<unknown, unknown>, global = false): DynamicModule => {
  const providers = [...values].map(([provide, useValue]) => ({ provide: provide as symbol, useValue }));
  return { module: class Values {}, global, providers, exports: [...values.keys()] as symbol[] };
};

interface DemoOptions extends Partial<HttpOptions> {
  readonly timeouts?: Partial<Timeouts>;
  readonly rateCounters?: RateCounters;
}

/** A small application on the HTTP platform, listening on a free port. */
export async function startDemo(options: DemoOptions = {}, module: Type = DemoModule) {
  const clock = new ManualClock();
  const log: string[] = [];
  const sink: DestinationStream = { write: (line: string) => void log.push(line) };
  const logger = pino({ level: 'info' }, sink);
  const { timeouts, rateCounters = new MemoryRateCounters(clock), ...given } = options;
  const ports = new Map<unknown, unknown>([
    [Clock, clock],
    [Randomness, new SystemRandomness()],
    [RateCounters, rateCounters],
  ]);
  const http = { productVersion: '2.0.59', surfaces, logger, ...given };
  const imports = [
    valuesModule(ports, true),
    HttpModule.over(http, valuesModule(new Map([[ACCESS, access]]))),
    module,
  ];
  const root = { module: class Demo {}, imports };
  const app = await NestFactory.create<NestFastifyApplication>(
    root,
    new HttpAdapter({ timeouts }),
    nestOptions(logger),
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { app, clock, log, port, url, call: clientOf(url), close: () => app.close() };
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;
