import { Injectable } from '@nestjs/common';
import type { RouteOptions } from 'fastify';
import { isEndless, type OperationSpec, REST } from '../operation.js';

interface KnownRoute {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Describes the OpenAPI documents, and distinguishes 405 from 404. */
@Injectable()
export class OperationRegistry {
  readonly #routes = new Map<string, KnownRoute>();
  readonly #operations = new Map<string, OperationSpec>();

  add({ url, method, config }: RouteOptions): void {
    const operation = config?.operation;
    if (method === 'HEAD' && operation && isEndless(operation)) return;
    const route = this.#routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    for (const each of [method].flat()) route.methods.add(each);
    this.#routes.set(url, route);
    if (operation) this.#operations.set(`${operation.surface.name} ${operation.id}`, operation);
  }

  operations(): readonly OperationSpec[] {
    return [...this.#operations.values()];
  }

  methodsOf(url: string): readonly string[] {
    const end = url.search(/[?#]/);
    const given = (end < 0 ? url : url.slice(0, end)).split('/');
    const found = new Set<string>();
    for (const { segments, methods } of this.#routes.values()) {
      if (matches(segments, given)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  }
}

const matches = (pattern: readonly string[], given: readonly string[]) =>
  (pattern.at(-1) === REST ? pattern.length <= given.length : pattern.length === given.length) &&
  pattern.every((segment, i) =>
    segment.startsWith(':') ? given[i] !== '' : segment === REST || segment === given[i],
  );
