import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { ContentChecks } from './admission/content-checks.guard.js';
import { HeaderChecks } from './admission/header-checks.js';
import { OperationRegistry } from './admission/operation-registry.js';
import { RateLimits } from './admission/rate-limits.js';
import { Connections } from './connections.js';
import { ErrorFilter } from './error.filter.js';
import type { HttpAdapter } from './http-adapter.js';
import { HttpOptions } from './http-options.js';
import { RequestContext } from './request.js';
import { RequestHooks } from './request-hooks.js';
import { ServerHardening } from './server-hardening.js';

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
