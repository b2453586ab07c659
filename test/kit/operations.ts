import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { OperationSpec } from '../../src/http/operation.js';

/** Every declared operation of a running service, read from its controllers. */
export function operationsOf(app: INestApplicationContext): readonly OperationSpec[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  const found = controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: Record<string, object> }).prototype;
    return Object.getOwnPropertyNames(prototype).map((name) => {
      const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, prototype[name]!) as
        { operation?: OperationSpec } | undefined;
      return config?.operation;
    });
  });
  return found.filter((operation) => operation !== undefined);
}
