import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { serviceForAll, startTestService } from '../../kit/service.js';

const REPOSITORY = 'https://github.com/remote-printing/remote-printing-service/blob/main/';

describe('reading about the service', () => {
  const service = serviceForAll();
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
        expect(await answer.text()).toContain(readFileSync(path, 'utf8').split('\n', 1)[0]);
      } else await answer.json();
    }
  });

  it('links to guides that it serves, and else to files of the repository', async () => {
    const list = await (await get('/llms.txt')).text();
    const guides = [...list.matchAll(/\((docs\/.+?\.md)\)/g)].map(([, path]) => path!);
    const outward: string[] = [];
    for (const guide of guides)
      for (const [, target] of (await (await get(`/${guide}`)).text()).matchAll(/\]\(([^)#\s]+)/g))
        if (target!.startsWith(REPOSITORY)) outward.push(target!.slice(REPOSITORY.length));
        else if (!/^https?:/.test(target!)) {
          const path = posix.join(posix.dirname(guide), target!);
          expect([guide, target, guides.includes(path)]).toEqual([guide, target, true]);
        }
    expect(outward).toEqual(expect.arrayContaining(['sdks/README.md', 'docs/decisions/103-alerts.md']));
    expect(outward.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(['/docs/decisions/README.md', '/docs/%2e%2e/package.json', '/docs/..%2fpackage.json', '/docs/'])(
    'serves no other file: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
