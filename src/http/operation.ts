import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Injectable,
  Patch,
  Post,
  Put,
  type Type,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { ErrorCode } from './errors/api-error.js';
import { pathOf, type CallerKind, type OperationKind, type PathParameter, type Surface } from './surface.js';
import type { JsonSchema } from './validation/rules.js';

export interface Success {
  readonly status: number;
  readonly description: string;
  /** Type of `data`: a class, a page of a class, a list with a cursor, or a schema. Absent: no body. */
  readonly type?: Type | JsonSchema;
  readonly list?: 'page' | 'cursor';
  /** Code of the envelope; absent: that of the surface. */
  readonly code?: string;
  readonly example?: unknown;
  /** Media type of a body without envelope. */
  readonly media?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Further = Omit<Partial<Success>, 'description' | 'type'>;

/** An answer of a class, with 200 unless it says otherwise. */
export const ok = (description: string, type: Success['type'], further: Further = {}): Success => ({
  status: 200,
  description,
  type,
  ...further,
});

export const created = (description: string, type: Success['type'], further: Further = {}): Success =>
  ok(description, type, { status: 201, ...further });

/** Bytes without envelope. */
export const bytes = (description: string, further: Further = {}): Success =>
  ok(description, undefined, { media: 'application/octet-stream', ...further });

export interface Limit {
  readonly perMinute: number;
  /** Counts by a value of the validated request instead of the credential. */
  readonly key?: (request: FastifyRequest) => string;
}

export interface OperationSpec {
  /** operationId of the contract. */
  readonly id: string;
  readonly surface: Surface;
  /** `GET /v1/svc-api-print-jobs/:job_id`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** A verb and its object, e.g. "Retry a print job". */
  readonly summary: string;
  /** Group on the reading page; absent for operations outside of OpenAPI documents. */
  readonly tag?: Tag;
  readonly description?: string;
  /**
   * `remembered`: accepts cached credentials while the stores are unavailable. `optional`: also answers callers without
   * a valid credential, who have no principal.
   */
  readonly auth?: 'required' | 'remembered' | 'optional' | 'none';
  /** The only kinds of callers; absent: those of the surface, else every kind that it authenticates. */
  readonly callers?: readonly CallerKind[];
  /** All of these scopes are required. */
  readonly scopes?: readonly string[];
  /** At least one of these scopes is required. */
  readonly anyScope?: readonly string[];
  readonly limit?: Limit;
  /** Of the path, beside or instead of those of the surface. */
  readonly params?: Readonly<Record<string, PathParameter>>;
  readonly query?: Type;
  readonly body?: Type;
  readonly bodyOptional?: boolean;
  /** The body has a print content object in `content`, decoded and hashed before validation. */
  readonly carriesContent?: boolean;
  /** Maximum size of the body; absent: that of a document, or 64 KiB without one. */
  readonly maxBodyBytes?: number;
  readonly idempotencyKey?: boolean;
  /** Further request headers, name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly success: Success | readonly Success[];
  /** Domain error codes of this operation; the HTTP layer adds its own. */
  readonly errors?: readonly ErrorCode[];
  /** Statuses of codes for which the contract's table of this operation lacks the catalogue's. */
  readonly statuses?: Readonly<Record<string, number>>;
  readonly requestExample?: unknown;
  /** Polled every few seconds: a success is logged at debug. */
  readonly isRoutine?: boolean;
  /** Excluded from OpenAPI documents. */
  readonly hidden?: boolean;
}

/** The parameter of a route that ends with it: all further segments. */
export const REST = '*';

const methods = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/**
 * Declares one operation: route, authority, limits, input, answers. Hooks and guard check requests by it
 * (through Fastify's route config), and the OpenAPI documents are built from it.
 */
export function Operation(spec: OperationSpec): MethodDecorator {
  const [method, path] = spec.route.split(' ') as [keyof typeof methods, string];
  const known = Object.entries({ ...spec.surface.params, ...spec.params });
  const params = known
    .filter(([place]) => isIn(path, place))
    .map(([place, of]) => [nameAt(place), of] as const);
  return applyDecorators(
    methods[method](path),
    HttpCode(successes(spec)[0]!.status),
    RouteConfig({
      operation: { callers: spec.surface.callers, ...spec, params: Object.fromEntries(params) },
    }),
  );
}

const nameAt = (place: string) => place.split(':').at(-1)!;

function isIn(path: string, place: string): boolean {
  const segments = place === REST || place.includes(':') ? place : `:${place}`;
  return `${path}/`.includes(`/${segments}/`);
}

/** `@Operation` for the operations of a surface that have the same group, scopes or limit. */
export const operationsOf =
  <D extends Partial<OperationSpec>>(surface: Surface, defaults: D) =>
  (spec: Omit<OperationSpec, 'surface' | keyof D> & Partial<OperationSpec>): MethodDecorator =>
    Operation({ ...defaults, ...spec, surface } as OperationSpec);

/** Maximum size of a body with a document, or with as many items as the largest operation takes. */
export const MAX_BODY_BYTES = 16_777_216;
/** Maximum size of all other bodies. */
export const PLAIN_BODY_BYTES = 65_536;

export function bodyLimitOf({ maxBodyBytes, carriesContent }: OperationSpec): number {
  return maxBodyBytes ?? (carriesContent ? MAX_BODY_BYTES : PLAIN_BODY_BYTES);
}

/** Whether the operation changes nothing of the account: a GET, or one that requires only scopes for reading. */
export function isRead({ route, scopes = [] }: OperationKind): boolean {
  return route.startsWith('GET ') || scopes.every((scope) => scope.endsWith(':read'));
}

/** Whether the answer goes on until one side closes it; HEAD would never end either, so it is not taken. */
export const isEndless = (spec: OperationSpec) => successes(spec)[0]!.media === 'text/event-stream';

export function successes(spec: OperationSpec): readonly Success[] {
  return Array.isArray(spec.success) ? (spec.success as readonly Success[]) : [spec.success as Success];
}

export const codeOf = ({ surface }: OperationSpec, { code = surface.okCode }: Success) => code;

/** Body of a success, without the ids of its request. */
export const envelope = (operation: OperationSpec, success: Success, data: unknown) => ({
  code: codeOf(operation, success),
  ...(operation.surface.messages && { message: success.description }),
  data,
});

/** Groups of the reading page, in its order. */
const TAGS = {
  Account: 'The account of the credential, or the accounts of a partner or of the installation.',
  Computers: 'Computers with an agent: enrolment, presence and status.',
  Printers: 'Printers of the computers.',
  Jobs: 'Print jobs, from the document to the spooler.',
  Webhooks: 'Signed notifications of events, and their deliveries.',
  Keys: 'API keys of the account.',
  Session: 'Sign-in, and the person who is signed in.',
  Members: 'People who may sign in to the panel.',
  Evidence: 'Proofs of what is recorded, which need no trust in the service.',
  Events: 'Stored events and the read models made of them.',
  Service: 'Health and capabilities.',
} as const;

export type Tag = keyof typeof TAGS;

/** The used tags, in the order of the reading page. */
export function tagsOf(operations: readonly { readonly tag?: Tag }[]) {
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as Tag))
    .map(([name, description]) => ({ name, description }));
}

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
    const given = pathOf(url).split('/');
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
