import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What `npm run agent:package` makes for a download, by name. */
const TYPES = {
  'rps-agent.msi': 'application/x-msi',
  'rps-agent.deb': 'application/vnd.debian.binary-package',
} as const;
const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** In the repository, seen from the sources and from the compiled program. */
const FOLDERS = ['../../dist-agent', '../../../dist-agent'];

/** Each holds a file and a connection of its own. */
const MAX_DOWNLOADS = 64;
const RETRY_SECONDS = 30;

/**
 * Serves the packages of the Agent that lie in `folder`, by default beside the build, below /panel/agent/: without a
 * credential, because a new computer has none. No path of a URL reaches the disk.
 */
export function serveAgentPackages(fastify: FastifyInstance, folder: string | undefined): void {
  const folders =
    folder === undefined ? FOLDERS.map((each) => fileURLToPath(new URL(each, import.meta.url))) : [folder];
  const find = async (name: string): Promise<Package | undefined> => {
    const files = folders.map((each) => path.join(each, name));
    const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
    const index = found.findIndex((stats) => stats?.isFile());
    return index < 0 ? undefined : { file: files[index]!, stats: found[index]! };
  };
  fastify.get('/panel/agent/', async (_, reply) => {
    const found = await Promise.all(
      NAMES.map(async (name) => ({ name, bytes: (await find(name))?.stats.size })),
    );
    return reply.header('cache-control', 'no-cache').send(found.filter(({ bytes }) => bytes !== undefined));
  });
  let downloads = 0;
  for (const name of NAMES)
    fastify.get(`/panel/agent/${name}`, async (request, reply) => {
      const found = await find(name);
      if (found === undefined) return reply.callNotFound();
      if (isKnown(request, reply, found)) return reply.code(304).send();
      reply.headers({
        'content-type': TYPES[name],
        'content-length': found.stats.size,
        'content-disposition': `attachment; filename="${name}"`,
      });
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      if (downloads >= MAX_DOWNLOADS) return busy(reply);
      downloads++;
      return reply.send(createReadStream(found.file).once('close', () => downloads--));
    });
}

interface Package {
  readonly file: string;
  readonly stats: Stats;
}

/** Sets the validators of the file: browsers ask again each time. */
function isKnown(request: FastifyRequest, reply: FastifyReply, { stats }: Package): boolean {
  const etag = `"${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`;
  reply.headers({ etag, 'last-modified': stats.mtime.toUTCString(), 'cache-control': 'no-cache' });
  return request.headers['if-none-match'] === etag;
}

function busy(reply: FastifyReply): FastifyReply {
  for (const name of ['content-length', 'content-disposition', 'etag', 'last-modified'])
    reply.removeHeader(name);
  return reply
    .code(503)
    .headers({ 'retry-after': RETRY_SECONDS, 'content-type': 'text/plain; charset=utf-8' })
    .send('Too many computers download the Agent at once: try again.\n');
}
