import type { FastifyInstance, FastifyReply } from 'fastify';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationRegistry } from '../operation.js';
import type { Surface, Versions } from '../surface.js';
import { openApiDocument, SECURITY_SCHEME } from './document.js';

/** Serves the OpenAPI documents and the reading page without a credential; builds each at its first request. */
export function serveDocuments(
  fastify: FastifyInstance,
  registry: OperationRegistry,
  surfaces: readonly Surface[],
  versions: Versions,
  publicUrl: string | undefined,
): void {
  const described = surfaces.filter(({ document }) => document);
  for (const surface of described) {
    // Bytes, which all answers share: a string is encoded for each, 0.7 MB that a client need not even read.
    let bytes: Buffer | undefined;
    fastify.get(surface.document!.path, (_, reply) => {
      const made = () => openApiDocument(surface, registry.operations(), versions, publicUrl);
      bytes ??= Buffer.from(JSON.stringify(made()));
      return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
    });
  }
  serveReadingPage(fastify, described);
}

/** Next to the compiled program after a build, else in the npm package. */
const BUNDLES = [
  '../../../reading-page/api-reference.js',
  '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js',
];

const relative = ({ document }: Surface) => document!.path.slice('/v1/'.length);

const pageOf = (surfaces: readonly Surface[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Remote Printing Service API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>The documents themselves: ${surfaces
  .map((surface) => `<a href="${relative(surface)}">${surface.title}</a>`)
  .join(', ')}.</noscript>
<script src="docs/api-reference.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Nothing leaves our origin: no fonts, no telemetry, no proxy, no assistant. */
const startOf = (surfaces: readonly Surface[]) => `Scalar.createApiReference('#reference', {
  sources: ${JSON.stringify(
    surfaces.map((each, i) => ({
      title: each.title,
      slug: each.name,
      url: relative(each),
      default: i === 0,
    })),
  )},
  authentication: { preferredSecurityScheme: '${SECURITY_SCHEME}' },
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

/** The reader sets styles from script, which only 'unsafe-inline' allows; scripts are limited to our origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /v1/docs`: one page that shows the OpenAPI documents, loaded entirely from our own origin. */
function serveReadingPage(fastify: FastifyInstance, surfaces: readonly Surface[]): void {
  const page = pageOf(surfaces);
  const start = startOf(surfaces);
  fastify.get('/v1/docs', (_, reply) => send(reply, 'text/html', page));
  fastify.get('/v1/docs/start.js', (_, reply) => send(reply, 'text/javascript', start));
  fastify.get('/v1/docs/api-reference.js', (_, reply) => {
    const bundle = bundlePath();
    if (!bundle) return reply.callNotFound();
    reply.header('content-length', statSync(bundle).size).header('cache-control', 'public, max-age=3600');
    return send(reply, 'text/javascript', createReadStream(bundle));
  });
}

function send(reply: FastifyReply, type: string, body: unknown) {
  reply.header('content-type', `${type}; charset=utf-8`).header('content-security-policy', POLICY);
  return reply.send(body);
}

/** Read from disk at each request: 3.5 MB that are rarely needed. */
function bundlePath(): string | undefined {
  return BUNDLES.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync);
}
