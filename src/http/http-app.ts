import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../ports/clock.port.js';
import type { Randomness } from '../ports/randomness.port.js';
import { contentJudge } from './admission/judge-content.js';
import { headerJudge } from './admission/judge-headers.js';
import { OperationRegistry } from './admission/operation-registry.js';
import { uncountRequest } from './admission/rate-control.js';
import { Answer, sendAnswer, sendBare, type BareAnswer } from './answer.js';
import type { Access } from './authentication.js';
import { bodyParser } from './body/body-parser.js';
import { BodyReader } from './body/body-reader.js';
import { BODY_LIMIT_BYTES } from './body/limits.js';
import type { SlotLimits } from './body/upload-slots.js';
import { HttpAdapter } from './http-adapter.js';
import { HttpMetrics } from './http-metrics.js';
import { NestLogger } from './nest-logger.js';
import { serveDocuments } from './openapi/serve-documents.js';
import { inMemory, RateLimits, type LimiterFactory } from './rate-limits.js';
import { refusals, RefusalFilter } from './refuse.js';
import { beginnings } from './request.js';
import { requestLog } from './request-log.js';
import { hardenServer, serverOptions, type Timeouts } from './server-options.js';
import type { Versions } from './surfaces.js';

/** Large bodies in memory and on the wire: at most 128 MiB are being read. */
const UPLOADS: SlotLimits = { total: 8, perOwner: 4, waiting: 256 };

export interface HttpAppOptions {
  readonly productVersion: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  /** Who may call each surface; asked for once, when the container is ready. */
  readonly access: (app: NestFastifyApplication) => Access;
  /** Multiplies all rate limits; 0 switches them off. */
  readonly rateLimitFactor?: number;
  /** Shared counters; by default they live in this process. */
  readonly limiters?: LimiterFactory;
  readonly timeouts?: Partial<Timeouts>;
  readonly metrics?: HttpMetrics;
  /** Operations that need no credential in this installation, by id (`metrics` with METRICS_PUBLIC). */
  readonly openOperations?: readonly string[];
  /** Bodies of 64 KiB and more that are read at once, and that may wait for it. */
  readonly uploads?: SlotLimits;
}

/** Nest on Fastify as all surfaces need it: judged before it is read, answered in envelopes, refused in codes. */
export async function createHttpApp(module: Type | DynamicModule, options: HttpAppOptions) {
  const { logger, randomness, clock } = options;
  const versions: Versions = { product: options.productVersion, contract: 'v1', schema: 23 };
  const limits = new RateLimits(options.limiters ?? inMemory(clock), options.rateLimitFactor);
  const newId = () => randomness.uuid();
  const begin = beginnings(versions, newId);
  const refuse = refusals({ logger, limits, begin });
  const send = (reply: FastifyReply, given: Answer | BareAnswer) =>
    given instanceof Answer
      ? sendAnswer(reply, given)
      : sendUncounted(limits, reply, given).catch((err: unknown) =>
          logger.error({ err }, 'answer not sent as usual'),
        );
  const serving = serverOptions({ versions, newId, refuse, timeouts: options.timeouts });
  const adapter = new HttpAdapter(serving.fastify, { refuse, send });
  const access: { current: Access } = { current: {} };
  const fastify = adapter.getInstance() as unknown as FastifyInstance;

  hardenServer(fastify, serving.timeouts);
  addHooks(fastify, options, { begin, limits, versions, access: () => access.current });
  const nest = { bodyParser: false, logger: new NestLogger(logger), abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, nest);
  app.useGlobalFilters(new RefusalFilter(refuse));
  access.current = options.access(app);
  return app;
}

interface Judging {
  readonly begin: ReturnType<typeof beginnings>;
  readonly limits: RateLimits;
  readonly versions: Versions;
  readonly access: () => Access;
}

function addHooks(
  fastify: FastifyInstance,
  options: HttpAppOptions,
  { begin, limits, versions, access }: Judging,
) {
  const registry = new OperationRegistry();
  const reader = new BodyReader();
  const log = requestLog(options.logger, options.metrics);
  const open = new Set(options.openOperations);
  const slots = options.uploads ?? UPLOADS;
  const bodyLimit = BODY_LIMIT_BYTES;

  for (const name of ['principal', 'refusedCredential', 'correlationId', 'bodyProblem', 'counted'])
    fastify.decorateRequest(name, undefined);
  fastify.addHook('onRoute', (route) => registry.add(route));
  fastify.addHook('onRequest', (request, reply, done) => done(void begin(request, reply)));
  fastify.addHook('onRequest', headerJudge({ access, limits, registry, bodyLimit, open }));
  fastify.addHook('preHandler', contentJudge({ access, limits }));
  fastify.addHook('onResponse', log);
  fastify.addHook('onClose', () => reader.close());
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', bodyParser({ reader, bodyLimit, slots }));
  serveDocuments(fastify, registry, versions);
}

/** An unchanged resource costs the client nothing; a counter that fails does not keep the answer back. */
async function sendUncounted(limits: RateLimits, reply: FastifyReply, given: BareAnswer): Promise<void> {
  try {
    if (given.status === 304) await uncountRequest(limits, reply.request, reply);
  } finally {
    sendBare(reply, given);
  }
}
