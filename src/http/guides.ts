import type { FastifyInstance } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Surface } from './surface.js';

interface Package {
  readonly repository: string;
}

/** In the repository and the image, seen from the sources and from the compiled program. */
const FOLDERS = ['../../docs', '../../../docs'];

/**
 * For programs that read: `/llms.txt` lists the documents of the API and the guides, and each guide is at
 * `/docs/<name>.md`. `/` leads to `start`. No path of a URL reaches the disk; each file is read at its first request.
 */
export function serveGuides(fastify: FastifyInstance, surfaces: readonly Surface[], start: string): void {
  fastify.get('/', (_, reply) => reply.redirect(start, 302));
  const folder = FOLDERS.map((each) => fileURLToPath(new URL(each, import.meta.url))).find(existsSync);
  const guides = folder === undefined ? [] : guidesIn(folder);
  let list: string | undefined;
  fastify.get('/llms.txt', (_, reply) => {
    list ??= listOf(guides, surfaces);
    return reply.header('content-type', 'text/plain; charset=utf-8').send(list);
  });
  for (const { name, text } of guides)
    fastify.get(`/docs/${name}`, (_, reply) =>
      reply.header('content-type', 'text/markdown; charset=utf-8').send(text()),
    );
}

function guidesIn(folder: string) {
  const names = ['.', 'reference'].flatMap((below) =>
    readdirSync(path.join(folder, below))
      .filter((file) => file.endsWith('.md'))
      .map((file) => path.posix.join(below, file)),
  );
  const { repository } = JSON.parse(readFileSync(path.join(folder, '../package.json'), 'utf8')) as Package;
  const outwards = linksTo(repository, names);
  return names.map((name) => {
    let read: string | undefined;
    return {
      name,
      text: () => (read ??= outwards(readFileSync(path.join(folder, name), 'utf8'), name)),
    };
  });
}

/** Links to files that are not served lead to the repository. */
const linksTo = (repository: string, served: readonly string[]) => (text: string, name: string) =>
  text.replace(/\]\((?![a-z]+:|#)([^)#]+)/g, (link, target: string) => {
    const file = path.posix.join('docs', path.posix.dirname(name), target);
    const isServed = served.some((each) => file === `docs/${each}`);
    return isServed ? link : `](${repository}/blob/main/${file}`;
  });

const listOf = (
  guides: ReturnType<typeof guidesIn>,
  surfaces: readonly Surface[],
) => `# Remote Printing Service

> API clients send documents, and Agents on remote computers print them. Each step is in the history of the job.

## API

${surfaces.flatMap(({ document, title }) => (document ? `- [${title}](${document.path.slice(1)}): OpenAPI 3.1` : [])).join('\n')}

## Guides

${guides.map(({ name, text }) => `- [${/^# (.+)$/m.exec(text())?.[1] ?? name}](docs/${name})`).join('\n')}
`;
