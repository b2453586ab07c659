import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../kit/polling.js';
import { serviceForAll } from '../../kit/service.js';

describe('the packages of the Agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  const msi = Buffer.alloc(16_000_000, 'an installer '); // More than the buffers of a connection.
  const service = serviceForAll({ env: { AGENT_PACKAGES: folder } });
  beforeAll(() => {
    writeFileSync(join(folder, 'rps-agent.msi'), msi);
    writeFileSync(join(folder, 'secret.txt'), 'secret');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, service.url), init);

  it('are listed if they are there', async () => {
    const answer = await get('/panel/agent/');

    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual([{ name: 'rps-agent.msi', bytes: msi.length }]);
  });

  it('are sent without a credential, as a file to save', async () => {
    const answer = await get('/panel/agent/rps-agent.msi');

    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="rps-agent.msi"',
    ]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await answer.arrayBuffer()).equals(msi)).toBe(true);
  });

  it('tell their size to HEAD', async () => {
    const answer = await get('/panel/agent/rps-agent.msi', { method: 'HEAD' });

    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(msi.length)]);
  });

  it('are sent again only if they changed', async () => {
    const etag = (await get('/panel/agent/rps-agent.msi', { method: 'HEAD' })).headers.get('etag')!;
    const again = (): Promise<Response> =>
      get('/panel/agent/rps-agent.msi', { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);

    utimesSync(join(folder, 'rps-agent.msi'), 1, 1);
    const changed = await again();
    expect(changed.status).toBe(200);
    await changed.arrayBuffer();
  });

  it.each([
    'rps-agent.deb',
    'secret.txt',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    'rps-agent.msi/',
    'RPS-AGENT.MSI',
  ])('are no way to another file: %s', async (name) => {
    // Without fetch, which resolves dots itself.
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      request({ hostname, port, path: `/panel/agent/${name}` }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it('are sent to 64 computers at once, and later to others', async () => {
    const path = '/panel/agent/rps-agent.msi';
    const gone = new AbortController();
    const start = (): Promise<Response> => get(path, { signal: gone.signal });
    const running = await Promise.all(Array.from({ length: 64 }, start));
    expect(running.map(({ status }) => status)).toEqual(Array(64).fill(200));

    const refused = await get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(refused.headers.get('etag')).toBeNull();
    gone.abort();
    const later = await eventually('a free place', async () => {
      const answer = await get(path);
      await answer.arrayBuffer();
      return answer.status === 200 || undefined;
    });
    expect(later).toBe(true);
  });
});
