import type { Type } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { pino, type DestinationStream } from 'pino';
import { MemoryRateCounters } from '../../../src/app/system/memory-rate-counters.js';
import { SystemRandomness } from '../../../src/app/system/system-randomness.js';
import { surfaces } from '../../../src/api/surfaces.js';
import type { Access, Principal } from '../../../src/http/authentication.js';
import { createHttpApp, type HttpAppOptions } from '../../../src/http/http-app.js';
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

const authenticator = { authenticate: (secret: string) => credentials[secret] };

const access = (): Access => ({
  integration: {
    authenticator,
    admission: ({ credentialId }) => (credentialId === 'key-suspended' ? 'SVC_ACCOUNT_SUSPENDED' : undefined),
  },
  partner: { authenticator: { authenticate: async (secret) => credentials[secret] } },
  agent: { authenticator },
  operator: { authenticator },
});

/** A small application on the HTTP platform, listening on a free port. */
export async function startDemo(options: Partial<HttpAppOptions> = {}, module: Type = DemoModule) {
  const clock = new ManualClock();
  const log: string[] = [];
  const sink: DestinationStream = { write: (line: string) => void log.push(line) };
  const app = await createHttpApp(module, {
    productVersion: '2.0.59',
    surfaces,
    rateCounters: new MemoryRateCounters(clock),
    randomness: new SystemRandomness(),
    clock,
    logger: pino({ level: 'info' }, sink),
    access,
    ...options,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { app, clock, log, port, url, call: clientOf(url), close: () => app.close() };
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;
