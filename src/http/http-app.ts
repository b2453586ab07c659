import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/time.js';
import type { Randomness } from '../kernel/ids.js';
import type { RateCounters } from '../kernel/rate-counters.js';
import { AcceptFirst } from './accept-first.js';
import { ContentChecks, fillEmptyParams } from './admission/content-checks.guard.js';
import { headerChecks } from './admission/header-checks.js';
import { OperationRegistry } from './admission/operation-registry.js';
import type { Access } from './authentication.js';
import { bodyParser, type UploadLimits } from './body/body-parser.js';
import { BodyReader } from './body/body-reader.js';
import { Connections } from './connections.js';
import { ErrorFilter } from './error.filter.js';
import { HttpAdapter } from './http-adapter.js';
import { servePanelPages } from './panel-pages.js';
import { requestLog, type HttpMetrics } from './request-log.js';
import { NestLogger } from './nest-logger.js';
import { serveDocuments } from './openapi/reading-page.js';
import { RateLimits } from './admission/rate-limits.js';
import { requestContext, type RequestContext } from './request.js';
import { siteOf } from './session-cookie.js';
import { hardenServer, serverOptions, type Timeouts } from './server-options.js';
import type { Surface, Versions } from './surface.js';

/** Large bodies: 96 MiB are received and read at once; one brings 32 KiB in each five seconds. */
const UPLOADS: UploadLimits = {
  bytes: 100_663_296,
  bodiesOfOwner: 4,
  waitingOfOwner: 64,
  waiting: 256,
  pace: { bytes: 32_768, windowMs: 5_000 },
};

export interface HttpAppOptions {
  readonly productVersion: string;
  readonly randomness: Randomness;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The first one answers unknown paths. */
  readonly surfaces: readonly Surface[];
  /** Authenticators by surface; called once, when the container is ready. */
  readonly access: (app: NestFastifyApplication) => Access;
  readonly rateCounters: RateCounters;
  /** Multiplies all rate limits; 0 switches them off. */
  readonly rateLimitFactor?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly metrics?: HttpMetrics;
  /** Ids of operations without a credential in this installation (`metrics` with METRICS_PUBLIC). */
  readonly openOperations?: readonly string[];
  /** Limits of bodies of more than 64 KiB. */
  readonly uploads?: UploadLimits;
  /** Address of the service as browsers see it: only its own pages may use a session cookie. */
  readonly publicUrl?: string | undefined;
  /** Whether the pages of the panel are served. */
  readonly panelPages?: boolean;
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
}

/** Nest on Fastify with the pipeline of all surfaces (docs/decisions/038-nest-pipeline.md). */
export async function createHttpApp(module: Type | DynamicModule, options: HttpAppOptions) {
  const { logger, randomness, surfaces } = options;
  const versions: Versions = { product: options.productVersion, contract: 'v1', schema: 23 };
  const limits = new RateLimits(options.rateCounters, options.rateLimitFactor);
  const newId = () => randomness.uuid();
  const context = requestContext({ surfaces, versions, newId });
  const connections = new Connections();
  const errors = new ErrorFilter({ limits, context, connections });
  const serving = serverOptions({ ...options, versions, newId, errors, connections });
  const adapter = new HttpAdapter(serving.fastify, limits, logger);
  const holder: { access: Access } = { access: {} };
  const access = () => holder.access;
  const fastify = adapter.getInstance() as unknown as FastifyInstance;

  connections.guard(fastify.server);
  hardenServer(fastify, serving.timeouts, serving.stalls);
  addHooks(fastify, options, { context, limits, versions, access });
  const nest = { bodyParser: false, logger: new NestLogger(logger), abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, nest);
  app.useGlobalGuards(new ContentChecks({ access, limits }));
  app.useGlobalFilters(errors);
  holder.access = options.access(app);
  return app;
}

/** Fields of a request (request.ts), declared so that all requests have the same shape. */
const DECORATIONS = [
  'operation',
  'surface',
  'principal',
  'refusedCredential',
  'correlationId',
  'startedAt',
  'bodyProblem',
  'failure',
  'counted',
] as const;

interface HookOptions {
  readonly context: RequestContext;
  readonly limits: RateLimits;
  readonly versions: Versions;
  readonly access: () => Access;
}

function addHooks(
  fastify: FastifyInstance,
  options: HttpAppOptions,
  { context, limits, versions, access }: HookOptions,
) {
  const registry = new OperationRegistry();
  const site = siteOf(options.publicUrl);
  const reader = new BodyReader();
  const open = new Set(options.openOperations);

  for (const name of DECORATIONS) fastify.decorateRequest(name, undefined);
  fastify.addHook('onRoute', (route) => registry.add(route));
  const accepting = new AcceptFirst(fastify.server);
  fastify.addHook('onRequest', (request, reply, done) => done(void context(request, reply)));
  fastify.addHook('onRequest', (_request, _reply, done) => accepting.admit(done));
  fastify.addHook('onRequest', headerChecks({ access, limits, registry, open, site }));
  fastify.addHook('preHandler', fillEmptyParams);
  fastify.addHook('onResponse', requestLog(options.logger, options.metrics));
  fastify.addHook('onClose', () => reader.close());
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    bodyParser({ reader, uploads: options.uploads ?? UPLOADS }),
  );
  serveDocuments(fastify, registry, options.surfaces, versions);
  if (options.panelPages) servePanelPages(fastify, site);
}
