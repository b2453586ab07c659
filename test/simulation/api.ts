import { ModulesContainer } from '@nestjs/core';
import type { ExecutionContext, INestApplicationContext, Type } from '@nestjs/common';
import { ACCESS, type Access, type Principal } from '../../src/http/authentication.js';
import { Answer, BareAnswer, SerializedData } from '../../src/http/answer.js';
import { decodeContent } from '../../src/http/body/read-body.js';
import { errorBody } from '../../src/http/error.filter.js';
import { ApiError } from '../../src/http/errors/api-error.js';
import { codeOf, successes, type OperationSpec } from '../../src/http/operation.js';
import { FROM_BODY, FROM_QUERY } from '../../src/http/validation/field.js';
import { readInput } from '../../src/http/validation/read-input.js';
import { ConcurrencyError, UnavailableError } from '../../src/kernel/errors.js';
import { sent } from '../kit/fakes/sent.js';
import type { Program } from './engine/program.js';

export interface Call {
  /** Secret of the caller. */
  readonly as?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** Fields of an answer; a reader asserts the types that it expects. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Answered {
  /** 0: no answer; whether the request had an effect is unknown. */
  readonly status: number;
  readonly code: string;
  readonly data: Fields;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** By an instance that the newest events have not reached for a while. */
  readonly isDeaf?: boolean;
}

interface Endpoint {
  readonly spec: OperationSpec;
  readonly method: string;
  readonly run: (request: object) => Promise<unknown>;
}

/** Of a caller that does not hang up. */
const same = () => SOCKET;
const SOCKET = { readableEnded: false, destroyed: false, on: same, once: same, off: same };
const RAW = { socket: SOCKET };
const OPERATOR: Principal = { kind: 'operator', credentialId: 'operator', scopes: new Set() };

/** The operations of one instance, called as their routes are, without HTTP. */
export class Api {
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly access: Access;

  constructor(
    app: INestApplicationContext,
    private readonly program: Program,
  ) {
    this.access = app.get<Access>(ACCESS, { strict: false });
    for (const module of app.get(ModulesContainer, { strict: false }).values())
      for (const { instance, metatype } of module.controllers.values())
        this.add(instance as object, metatype as Type);
  }

  /** `<surface> <operationId>`. */
  async call(operation: string, call: Call): Promise<Answered> {
    const endpoint = this.endpoints.get(operation);
    if (!endpoint) throw new Error(`there is no operation ${operation}`);
    const { spec, run } = endpoint;
    try {
      const request = await this.requestOf(endpoint, call);
      return answeredOf(spec, await run(request));
    } catch (error) {
      return refusedOf(spec, error);
    }
  }

  /** Codes that the operation declares. */
  refusalsOf(operation: string): readonly string[] {
    return this.endpoints.get(operation)?.spec.errors ?? [];
  }

  private async requestOf({ spec, method }: Endpoint, call: Call): Promise<object> {
    const principal = await this.principalOf(spec, call.as);
    const problems: string[] = [];
    const { json, query = {} } = call;
    const body = spec.body ? readInput(spec.body, decoded(spec, json ?? {}), FROM_BODY, problems) : undefined;
    const read = spec.query ? readInput(spec.query, query, FROM_QUERY, problems) : query;
    if (problems.length > 0) throw new ApiError('invalid', problems.join('; '));
    const id = this.program.sim.uuid();
    const { params = {}, headers = {} } = call;
    const { surface } = spec;
    return {
      ...{ principal, body, query: read, params, headers, method, surface, operation: spec },
      ...{ id, correlationId: id, raw: RAW, ip: '192.0.2.1' },
    };
  }

  private async principalOf(spec: OperationSpec, secret: string | undefined): Promise<Principal | undefined> {
    if (spec.auth === 'none') return undefined;
    if (spec.surface.name === 'operator') return OPERATOR;
    const { authenticator, admission } = this.access[spec.surface.name]!;
    const principal = secret === undefined ? undefined : await authenticator!.authenticate(secret);
    if (!principal) throw new ApiError('credentialInvalid');
    if ((spec.scopes ?? []).some((scope) => !principal.scopes.has(scope))) throw new ApiError('scopeMissing');
    const refusal = await admission?.(principal, spec);
    if (refusal) throw refusal instanceof ApiError ? refusal : new ApiError(refusal);
    return principal;
  }

  private add(instance: object, type: Type): void {
    const methods = Object.getOwnPropertyNames(type.prototype).filter((name) => name !== 'constructor');
    for (const name of methods) {
      const method = (type.prototype as Record<string, unknown>)[name] as (...args: unknown[]) => unknown;
      const config = Reflect.getMetadata('__fastify_route_config__', method) as
        { operation?: OperationSpec } | undefined;
      const spec = config?.operation;
      if (!spec) continue;
      const args = argumentsOf(type, name);
      const run = async (request: object) => Reflect.apply(method, instance, args(request)) as unknown;
      this.endpoints.set(`${spec.surface.name} ${spec.id}`, { spec, method: spec.route.split(' ')[0]!, run });
    }
  }
}

function decoded(spec: OperationSpec, json: Readonly<Record<string, unknown>>) {
  const content = json.content as Record<string, unknown> | undefined;
  if (!spec.carriesContent || !content) return json;
  return { ...json, content: { ...content, data: decodeContent(content.data, content.encoding) } };
}

interface Parameter {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** What Nest's decorators of the parameters ask for: types 0 and 3 to 6 of `RouteParamtypes`, and own ones. */
const SOURCES: Readonly<Record<string, string>> = { 3: 'body', 4: 'query', 5: 'params', 6: 'headers' };

function argumentsOf(type: Type, name: string): (request: object) => unknown[] {
  const declared = (Reflect.getMetadata('__routeArguments__', type, name) ?? {}) as Record<string, Parameter>;
  return (request) => {
    const values: unknown[] = [];
    for (const [key, { index, data, factory }] of Object.entries(declared)) {
      const source = SOURCES[key.split(':')[0]!];
      const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
      if (factory) values[index] = factory(data, context);
      else if (source === undefined) values[index] = request;
      else {
        const value = (request as Record<string, Fields | undefined>)[source];
        values[index] = data === undefined ? value : value?.[String(data)];
      }
    }
    return values;
  };
}

function answeredOf(spec: OperationSpec, result: unknown): Answered {
  if (result instanceof BareAnswer) {
    const { status, body, headers } = result;
    return { status, code: String(status), data: { body }, headers };
  }
  const { data, options } = result instanceof Answer ? result : new Answer(result);
  options.sent?.();
  const status = options.status ?? successes(spec)[0]!.status;
  const success = successes(spec).find((one) => one.status === status) ?? successes(spec)[0]!;
  return {
    status,
    code: codeOf(spec, success),
    data: (data instanceof SerializedData ? parsed(data) : sent(data ?? {})) as Fields,
    headers: options.headers ?? {},
  };
}

const parsed = ({ json }: SerializedData) => JSON.parse(Buffer.from(json).toString()) as unknown;

function refusedOf(spec: OperationSpec, thrown: unknown): Answered {
  const isUnavailable = thrown instanceof UnavailableError || thrown instanceof ConcurrencyError;
  const error = isUnavailable ? new ApiError('unavailable') : thrown;
  if (!(error instanceof ApiError)) throw thrown;
  const { status, body } = errorBody(spec.surface, error, { requestId: '', correlationId: '' }, spec);
  return { status, code: body.code, data: { message: body.message }, headers: {} };
}
