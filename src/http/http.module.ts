import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { jwkOf } from '../kernel/signing-key.js';
import { ContentChecks, fillEmptyParams } from './admission/content-checks.guard.js';
import { HeaderChecks } from './admission/header-checks.js';
import { RateLimits } from './admission/rate-limits.js';
import { serveAgentPackages } from './agent-packages.js';
import { bodyParser, freeBody } from './body/body-parser.js';
import { BodyReader } from './body/body-reader.js';
import { Connections } from './connections.js';
import { ErrorFilter } from './error.filter.js';
import { serveGuides } from './guides.js';
import type { HttpAdapter } from './http-adapter.js';
import { HttpOptions } from './http-options.js';
import { serveDocuments } from './openapi/reading-page.js';
import { OperationRegistry } from './operation.js';
import { servePanelPages } from './panel-pages.js';
import { onEnd, requestLog, traceRequests } from './request-log.js';
import { RequestContext } from './request.js';
import { ServerHardening } from './server-hardening.js';
import { siteOf } from './session-cookie.js';

/** Declared so that all requests have the same shape. */
const DECORATIONS = [
  'operation',
  'surface',
  'principal',
  'refusedCredential',
  'correlationId',
  'startedAt',
  'bodyProblem',
  'freeBody',
  'failure',
  'counted',
  'rate',
  'mustBeEmpty',
  'span',
] as const;

@Injectable()
export class RequestHooks {
  constructor(
    private readonly options: HttpOptions,
    private readonly context: RequestContext,
    private readonly checks: HeaderChecks,
    private readonly registry: OperationRegistry,
  ) {}

  addTo(fastify: FastifyInstance): void {
    const { context, checks, registry } = this;
    const { logger, metrics, uploads, surfaces, tracing } = this.options;
    const { panelPages, publicUrl, agentPackages, webhookKeys } = this.options;
    const reader = new BodyReader();

    fastify.setGenReqId(() => context.newId());
    for (const name of DECORATIONS) fastify.decorateRequest(name, undefined);
    fastify.addHook('onRoute', (route) => registry.add(route));
    fastify.addHook('onRequest', (request, reply, done) => done(void context.begin(request, reply)));
    if (tracing) traceRequests(fastify, tracing);
    fastify.addHook('onRequest', (request, reply) => checks.check(request, reply));
    fastify.addHook('preHandler', fillEmptyParams);
    fastify.addHook('onSend', freeBody);
    onEnd(fastify, requestLog(logger, metrics));
    fastify.addHook('onClose', () => reader.close());
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('application/json', bodyParser(reader, uploads));
    serveDocuments(fastify, registry, surfaces, context.versions, publicUrl);
    serveGuides(fastify, surfaces, panelPages ? 'panel/' : 'v1/docs');
    if (webhookKeys) serveKeySet(fastify, webhookKeys);
    if (!panelPages) return;
    servePanelPages(fastify, siteOf(publicUrl));
    serveAgentPackages(fastify, agentPackages);
  }
}

/** docs/decisions/038-nest-pipeline.md */
@Module({})
export class HttpModule {
  static over(options: HttpOptions, access: DynamicModule): DynamicModule {
    return {
      module: HttpModule,
      imports: [access],
      providers: [
        { provide: HttpOptions, useValue: options },
        RateLimits,
        RequestContext,
        Connections,
        OperationRegistry,
        HeaderChecks,
        RequestHooks,
        ServerHardening,
        ErrorFilter,
        { provide: APP_GUARD, useClass: ContentChecks },
        { provide: APP_FILTER, useExisting: ErrorFilter },
      ],
    };
  }

  constructor(
    { httpAdapter }: HttpAdapterHost<HttpAdapter>,
    { logger }: HttpOptions,
    hooks: RequestHooks,
    hardening: ServerHardening,
    errors: ErrorFilter,
    limits: RateLimits,
  ) {
    const fastify = httpAdapter.getInstance() as unknown as FastifyInstance;
    httpAdapter.wire({ errors, limits, logger });
    hardening.harden(fastify, httpAdapter.timeouts);
    hooks.addTo(fastify);
  }
}

/** Public keys of webhooks, at the path and in the form of RFC 8615 and RFC 7517; needs no credential. */
function serveKeySet(fastify: FastifyInstance, publicKeys: readonly Uint8Array[]): void {
  const keys = new Map(publicKeys.map(jwkOf).map((key) => [key.kid, key]));
  const body = JSON.stringify({ keys: [...keys.values()] });
  fastify.get('/.well-known/jwks.json', (_, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(body),
  );
}
