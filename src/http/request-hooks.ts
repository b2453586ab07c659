import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { fillEmptyParams } from './admission/content-checks.guard.js';
import { serveAgentPackages } from './agent-packages.js';
import { HeaderChecks } from './admission/header-checks.js';
import { OperationRegistry } from './admission/operation-registry.js';
import { bodyParser, freeBody } from './body/body-parser.js';
import { BodyReader } from './body/body-reader.js';
import { serveGuides } from './guides.js';
import { HttpOptions } from './http-options.js';
import { serveDocuments } from './openapi/reading-page.js';
import { servePanelPages } from './panel-pages.js';
import { RequestContext } from './request.js';
import { requestLog } from './request-log.js';
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
    const { logger, metrics, uploads, surfaces, panelPages, publicUrl, agentPackages } = this.options;
    const reader = new BodyReader();

    fastify.setGenReqId(() => context.newId());
    for (const name of DECORATIONS) fastify.decorateRequest(name, undefined);
    fastify.addHook('onRoute', (route) => registry.add(route));
    fastify.addHook('onRequest', (request, reply, done) => done(void context.begin(request, reply)));
    fastify.addHook('onRequest', (request, reply) => checks.check(request, reply));
    fastify.addHook('preHandler', fillEmptyParams);
    fastify.addHook('onSend', freeBody);
    fastify.addHook('onResponse', requestLog(logger, metrics));
    fastify.addHook('onClose', () => reader.close());
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('application/json', bodyParser(reader, uploads));
    serveDocuments(fastify, registry, surfaces, context.versions);
    serveGuides(fastify, surfaces, panelPages ? 'panel/' : 'v1/docs');
    if (!panelPages) return;
    servePanelPages(fastify, siteOf(publicUrl));
    serveAgentPackages(fastify, agentPackages);
  }
}
