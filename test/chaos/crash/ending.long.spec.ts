import { existsSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { eventually } from '../../kit/polling.js';
import { worldOnSeed } from './kit/seeded.js';
import type { World } from './kit/world.js';

/** Longer exchanges are cut off. */
const PATIENCE_MS = 10_000;

describe('stopping the service by SIGTERM', () => {
  const the = worldOnSeed({ start: true });

  /** A database closed in order leaves an empty log. */
  const leftInLog = () => {
    const log = join(the.world.dataDir, 'rps.db-wal');
    return existsSync(log) ? statSync(log).size : 0;
  };

  it('answers an open long poll', async () => {
    const json = { session_id: the.world.seed.sessionId, wait_seconds: 25, max: 1 };
    const poll = the.world.asAgent('POST', '/leases', json);
    await the.world.asAgent('POST', '/heartbeat', { session_id: the.world.seed.sessionId, leases: [] });
    const ended = the.world.service.stop();

    expect((await poll).status).toBe(204);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(leftInLog()).toBe(0);
  });

  it('finishes a request in flight without waiting for its connection to close', async () => {
    const upload = startUpload(the.world);
    await upload.begun;
    const ended = the.world.service.stop();
    await eventually('the service to take no more', () => refusesConnections(the.world));
    const finished = performance.now();
    upload.finish();

    expect(await upload.status).toBe(201);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - finished).toBeLessThan(PATIENCE_MS);
    expect(leftInLog()).toBe(0);
  });
});

/** An operator's request over a keep-alive connection; its second half is sent on demand. */
function startUpload(world: World) {
  const body = JSON.stringify({ name: 'Late' });
  const upload = request(`${world.service.url}/operator/accounts`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization: `Bearer ${world.service.operatorToken}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const begun = new Promise<void>((resolve) => upload.once('continue', resolve));
  const status = new Promise<number | undefined>((resolve, reject) => {
    upload.once('response', (response) => resolve(response.resume().statusCode));
    upload.once('error', reject);
  });
  upload.flushHeaders();
  return { begun, status, finish: () => upload.end(body) };
}

async function refusesConnections(world: World): Promise<true | undefined> {
  const url = world.service.url.replace(/\/v1$/, '/health/live');
  const answered = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
  return answered?.status === 200 ? undefined : true;
}
