import type { FastifyInstance } from 'fastify';
import type { OperationRegistry } from '../admission/operation-registry.js';
import { agent, integration, partner, type Surface, type Versions } from '../surfaces.js';
import { openApiDocument } from './document.js';
import { serveReadingPage } from './reading-page.js';

const paths: readonly (readonly [string, Surface])[] = [
  ['/v1/openapi.json', integration],
  ['/v1/managed/openapi.json', partner],
  ['/v1/agent/openapi.json', agent],
];

/** The OpenAPI documents and their reader, without a credential: written at the first request, from what is served. */
export function serveDocuments(
  fastify: FastifyInstance,
  registry: OperationRegistry,
  versions: Versions,
): void {
  for (const [path, surface] of paths) {
    let document: string | undefined;
    fastify.get(path, (_, reply) => {
      document ??= JSON.stringify(openApiDocument(surface, registry.operations(), versions));
      return reply.header('content-type', 'application/json; charset=utf-8').send(document);
    });
  }
  serveReadingPage(fastify);
}
