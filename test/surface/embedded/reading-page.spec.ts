import { Conformance } from '../../kit/openapi.js';
import { serviceForAll } from '../../kit/service.js';

const DOCUMENTS = [
  ['integration', '/openapi.json'],
  ['partner', '/managed/openapi.json'],
  ['agent', '/agent/openapi.json'],
];

interface Described {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, { readonly tags: readonly string[] }>>;
}

describe('the reading page', () => {
  const service = serviceForAll();

  const get = (path: string) => fetch(`${service.url}${path}`);

  it('needs no credential and allows scripts and requests only from its own origin', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
    expect(await page.text()).not.toMatch(/https?:\/\//);
  });

  it.each(DOCUMENTS)('groups every operation of %s and opens with a first request', async (_, path) => {
    const { document } = await Conformance.of(service.url + path);
    const { tags, info, paths } = document as unknown as Described;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const operation of operations) expect(operation.tags).toHaveLength(1);
    const used = new Set(operations.flatMap((operation) => operation.tags));
    expect(used).toEqual(new Set(tags.map(({ name }) => name)));
    expect(info.description).toContain('```sh\ncurl -H "Authorization: Bearer $');
  });

  it('lists its groups in this order', async () => {
    const { document } = await Conformance.of(`${service.url}/openapi.json`);
    const names = (document as unknown as Described).tags.map(({ name }) => name);
    expect(names).toEqual(['Account', 'Computers', 'Printers', 'Jobs', 'Webhooks', 'Evidence']);
  });

  it('serves its complete script from the same origin', async () => {
    const program = await get('/docs/api-reference.js');
    expect([program.status, program.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    const bytes = await program.arrayBuffer();
    expect(bytes.byteLength).toBe(Number(program.headers.get('content-length')));
    expect(bytes.byteLength).toBeGreaterThan(1_000_000);
    expect((await get('/docs/start.js')).status).toBe(200);
    expect((await get('/docs/other.js')).status).toBe(404);
  });
});
