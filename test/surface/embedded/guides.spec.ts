import { readFileSync } from 'node:fs';
import { startTestService, type TestService } from '../../kit/service.js';

describe('reading about the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
  const get = (path: string, of = service) => fetch(new URL(path, of.url), { redirect: 'manual' });

  it('leads from / to the panel', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([302, 'panel/']);
  });

  it('leads from / to the reference page without a panel', async () => {
    const without = await startTestService({ env: { PANEL: 'off' } });
    const { status, headers } = await get('/', without);
    await without.close();
    expect([status, headers.get('location')]).toEqual([302, 'v1/docs']);
  });

  it('lists pages that exist, with their titles', async () => {
    const list = await (await get('/llms.txt')).text();
    const links = [...list.matchAll(/^- \[(.+)\]\((.+?)\)/gm)].map(
      ([, title, path]) => [title!, path!] as const,
    );
    expect(links).toContainEqual(['The Integration API', 'docs/integration-api.md']);
    expect(links.map(([, path]) => path)).toEqual(
      expect.arrayContaining(['v1/openapi.json', 'docs/reference/errors.md', 'docs/webhooks.md']),
    );
    for (const [, path] of links) {
      const answer = await get(`/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      if (path.endsWith('.md')) {
        expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
        expect(await answer.text()).toBe(readFileSync(path, 'utf8'));
      } else await answer.json();
    }
  });

  it.each(['/docs/decisions/README.md', '/docs/%2e%2e/package.json', '/docs/..%2fpackage.json', '/docs/'])(
    'serves no other file: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
