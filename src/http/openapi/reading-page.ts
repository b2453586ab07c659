import type { FastifyInstance, FastifyReply } from 'fastify';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SECURITY_SCHEME } from './guides.js';

/** Beside the compiled program, where the build puts it; beside the sources, where npm does. */
const BUNDLE_PLACES = [
  '../../../reading-page/api-reference.js',
  '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js',
];

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Remote Printing Service API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>The documents themselves: <a href="openapi.json">Integration</a>,
<a href="managed/openapi.json">Partner</a>, <a href="agent/openapi.json">Agent</a>.</noscript>
<script src="docs/api-reference.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Nothing of it leaves our origin: no fonts, no telemetry, no proxy, no assistant. */
const START = `Scalar.createApiReference('#reference', {
  sources: [
    { title: 'Integration API', slug: 'integration', url: 'openapi.json', default: true },
    { title: 'Partner API', slug: 'partner', url: 'managed/openapi.json' },
    { title: 'Agent protocol', slug: 'agent', url: 'agent/openapi.json' },
  ],
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

/** The reader styles its elements from script, which only 'unsafe-inline' allows; scripts are ours alone. */
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

/** `GET /v1/docs`: one page for people that reads the OpenAPI documents, with all it needs from our own origin. */
export function serveReadingPage(fastify: FastifyInstance): void {
  fastify.get('/v1/docs', (_, reply) => send(reply, 'text/html', PAGE));
  fastify.get('/v1/docs/start.js', (_, reply) => send(reply, 'text/javascript', START));
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

/** Read from disk at each request: it is 3.5 MB that few ever ask for. */
function bundlePath(): string | undefined {
  return BUNDLE_PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
}
