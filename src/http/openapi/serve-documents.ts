import type { FastifyInstance } from 'fastify';
import type { OperationRegistry } from '../admission/operation-registry.js';
import type { Surface, Versions } from '../surface.js';
import { openApiDocument } from './document.js';
import { serveReadingPage } from './reading-page.js';

/** Serves the OpenAPI documents and the reading page without a credential; builds each at its first request. */
export function serveDocuments(
  fastify: FastifyInstance,
  registry: OperationRegistry,
  surfaces: readonly Surface[],
  versions: Versions,
): void {
  const described = surfaces.filter(({ document }) => document);
  for (const surface of described) {
    let text: string | undefined;
    fastify.get(surface.document!.path, (_, reply) => {
      text ??= JSON.stringify(openApiDocument(surface, registry.operations(), versions));
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    });
  }
  serveReadingPage(fastify, described);
}
