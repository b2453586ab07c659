import { randomBytes, randomUUID } from 'node:crypto';
import { mintCredential } from '../../../../src/kernel/credential.js';
import { startServers, type Servers } from '../../../kit/server-stores.js';
import { ServiceProcess } from '../../../kit/service-process.js';
import { until } from '../../../kit/polling.js';
import { newMasterKey } from './kit/watched-service.js';

/** Common scrape timeout: 5 s. */
const SCRAPE_MS = 5_000;

describe('scraping metrics while the stores do not answer', () => {
  let servers: Servers;
  let service: ServiceProcess;
  let token: string;
  beforeAll(async () => {
    servers = await startServers();
    service = await ServiceProcess.prepare();
    await service.start({ ...servers.env, SVC_MASTER_KEY: newMasterKey() });
    token = await service.operatorToken();
  });
  afterAll(async () => {
    await service.remove();
    await servers.stop();
  });

  const scrape = async (as = token) => {
    const began = performance.now();
    const response = await fetch(new URL('/metrics', service.url), {
      headers: { authorization: `Bearer ${as}` },
    });
    const text = await response.text();
    const found = [...text.matchAll(/^rps_scrape_collector_success\{collector="(\w+)"\} (\d)$/gm)];
    const collectors = Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]));
    return { status: response.status, ms: performance.now() - began, text, collectors };
  };
  const isWhole = () =>
    until('a whole scrape', 30_000, async () => {
      const { collectors } = await scrape();
      const values = Object.values(collectors);
      return (values.length === 7 && values.every((value) => value === 1)) || undefined;
    });
  beforeEach(isWhole);

  it.each([
    [
      'EventStoreDB',
      () => servers.events,
      {
        projections: 0,
        jobs: 1,
        devices: 1,
        webhook_deliveries: 1,
        device_credentials: 1,
        evidence: 1,
        store_rollback: 0,
      },
    ],
    [
      'MongoDB',
      () => servers.mongo,
      {
        projections: 0,
        jobs: 0,
        devices: 0,
        webhook_deliveries: 0,
        device_credentials: 0,
        evidence: 0,
        store_rollback: 1,
      },
    ],
  ])('answers in time while %s is frozen', async (_, server, expected) => {
    server().freeze();
    try {
      for (let round = 0; round < 2; round++) {
        const { status, ms, text, collectors } = await scrape();
        expect([status, collectors]).toEqual([200, expected]);
        expect(ms).toBeLessThan(SCRAPE_MS);
        expect(text).toContain('rps_duty_leading{group="views"} ');
        expect(/^jobs\{/m.test(text)).toBe(expected.jobs === 1);
        expect(text).not.toMatch(/^rps_projection_lag_events\{/m);
      }
    } finally {
      server().thaw();
    }
  });

  it('still refuses other credentials', async () => {
    const another = mintCredential('svc_operator_', randomUUID(), randomBytes(32));
    servers.events.freeze();
    try {
      expect((await scrape(another)).status).toBe(503);
    } finally {
      servers.events.thaw();
    }
    expect((await scrape(another)).status).toBe(401);
  });

  it('answers in time while both are down', async () => {
    await servers.events.goDown();
    await servers.mongo.dropAll(SCRAPE_MS);
    const { status, ms, collectors } = await scrape();
    await servers.events.comeBack();
    expect([status, collectors]).toEqual([
      200,
      {
        projections: 0,
        jobs: 0,
        devices: 0,
        webhook_deliveries: 0,
        device_credentials: 0,
        evidence: 0,
        store_rollback: 0,
      },
    ]);
    expect(ms).toBeLessThan(SCRAPE_MS);
  });
});
