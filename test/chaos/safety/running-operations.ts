import { ModulesContainer } from '@nestjs/core';
import type { OperationSpec } from '../../../src/http/operation.js';
import type { TestService } from '../../kit/service.js';

/** Where Nest's `RouteConfig` stores the argument of `@Operation`. */
const ROUTE_CONFIG = '__fastify_route_config__';

/** Every operation of a service, documented or not. */
export function runningOperations({ service }: TestService): OperationSpec[] {
  const modules = [...service.app.get(ModulesContainer).values()];
  const controllers = new Set(
    modules.flatMap((each) => [...each.controllers.values()].map((one) => one.metatype)),
  );
  return [...controllers].flatMap((controller) => {
    const prototype = (controller as { prototype: Record<string, unknown> }).prototype;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const method = prototype[name];
      const config = typeof method === 'function' ? Reflect.getMetadata(ROUTE_CONFIG, method) : undefined;
      const operation = (config as { operation?: OperationSpec } | undefined)?.operation;
      return operation ? [operation] : [];
    });
  });
}
