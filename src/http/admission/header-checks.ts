import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { withTimeout } from '../../async/deadline.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { Milliseconds } from '../../kernel/time.js';
import {
  ACCESS,
  type Access,
  ACCOUNT_HEADER,
  type Authenticator,
  type Principal,
} from '../authentication.js';
import { notJson, tooLarge } from '../body/body-parser.js';
import { ApiError } from '../errors/api-error.js';
import { HttpOptions } from '../http-options.js';
import { bodyLimitOf, isEndless, OperationRegistry, type OperationSpec } from '../operation.js';
import { sessionSecretOf, type Site, siteOf } from '../session-cookie.js';
import { shown } from '../validation/read-input.js';
import { RateLimits } from './rate-limits.js';

/** Store delay after which `remembered` operations use cached credentials. */
const CACHE_AFTER_MS: Milliseconds = 1_000;

/** Order: 404, 405, 401, 429, 403, 413, 415, 400, all before the body is read. */
@Injectable()
export class HeaderChecks {
  private readonly site: Site;
  private readonly open: ReadonlySet<string>;

  constructor(
    @Inject(ACCESS) private readonly access: Access,
    private readonly limits: RateLimits,
    private readonly registry: OperationRegistry,
    { openOperations, publicUrl }: HttpOptions,
  ) {
    this.site = siteOf(publicUrl);
    this.open = new Set(openOperations);
  }

  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { operation } = request;
    const isRefusedHead = request.method === 'HEAD' && operation && isEndless(operation);
    if (request.is404 || isRefusedHead) throw noRoute(this.registry, request);
    const repeated = repeatedHeader(request.raw);
    refuseAmbiguousHead(request, repeated);
    if (!operation) return;

    if (operation.auth !== 'none' && !this.open.has(operation.id)) {
      const holder = await this.holderOf(operation, request);
      if (!holder) this.noteRefused(operation, request);
      else if (mayCall(operation, holder)) request.principal = holder;
      if (!request.principal) mustNotNeedCaller(operation);
    }
    await this.limits.countRequest(request, reply);
    if (request.principal) requireScopes(operation, request.principal);
    checkBodyHeaders(operation, request);
    refuseMalformedHead(request, repeated);
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
  }

  /** An Authorization header takes precedence over cookies. */
  private async holderOf(
    { surface, auth }: OperationSpec,
    request: FastifyRequest,
  ): Promise<Principal | undefined> {
    const { authenticator, inAccount, session } = this.access[surface.name] ?? {};
    const { authorization, [ACCOUNT_HEADER]: accountId } = request.headers;
    if (authorization === undefined) {
      const secret = session && sessionSecretOf(request, this.site);
      return secret === undefined ? undefined : session!(secret);
    }
    const secret = bearerOf(authorization);
    if (secret === undefined || !authenticator) return undefined;
    const operator = typeof accountId === 'string' && (await inAccount?.(secret, accountId));
    if (operator) return operator;
    return auth === 'remembered'
      ? rememberedHolder(authenticator, secret)
      : authenticator.authenticate(secret);
  }

  private noteRefused({ surface }: OperationSpec, request: FastifyRequest): void {
    const secret = bearerOf(request.headers.authorization);
    const { authenticator } = this.access[surface.name] ?? {};
    if (secret !== undefined && authenticator)
      request.refusedCredential = async () => authenticator.recordOf?.(secret);
  }
}

function refuseAmbiguousHead({ raw, headers }: FastifyRequest, repeated: Repetition | undefined): void {
  if (repeated?.framing) throw ambiguous(`The header ${repeated.name} must stand once.`);
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined && raw.httpVersion === '1.1') throw ambiguous('The header Host is required.');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw ambiguous('Transfer-Encoding must be chunked.');
  }
}

function refuseMalformedHead({ raw }: FastifyRequest, repeated: Repetition | undefined): void {
  if (repeated) throw new ApiError('malformed', `The header ${repeated.name} must stand once.`);
  if (raw.rawHeaders.length > MAX_HEADERS * 2)
    throw new ApiError('malformed', `At most ${MAX_HEADERS} headers.`);
  refuseMalformedQuery(raw.url ?? '');
}

/** Such a request may hide a second one: read nothing more from the connection. */
const ambiguous = (message: string) => new ApiError('malformed', message, { connection: 'close' });

function noRoute(registry: OperationRegistry, request: FastifyRequest): ApiError {
  const allowed = registry.methodsOf(request.raw.url ?? '/');
  if (allowed.length === 0) return new ApiError('routeUnknown');
  const allow = allowed.join(', ');
  return new ApiError('methodNotAllowed', `The path takes ${allow}.`, { allow });
}

async function rememberedHolder(authenticator: Authenticator, secret: string) {
  try {
    return await withTimeout(CACHE_AFTER_MS, 'authentication', () => authenticator.authenticate(secret));
  } catch (error) {
    const cached = error instanceof UnavailableError ? authenticator.peekCached?.(secret) : undefined;
    if (!cached) throw error;
    return cached;
  }
}

/** RFC 9110, 11.1: the scheme in any case. */
function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header[6] !== ' ') return undefined;
  return header.slice(0, 6).toLowerCase() === 'bearer' ? header.slice(7).trim() : undefined;
}

const mayCall = ({ callers }: OperationSpec, { kind, callsAs = kind }: Principal) =>
  !callers || callers.includes(callsAs);

function mustNotNeedCaller({ auth }: OperationSpec): void {
  if (auth !== 'optional') throw new ApiError('credentialInvalid');
}

function requireScopes({ scopes = [], anyScope }: OperationSpec, principal: Principal): void {
  const missing = scopes.filter((scope) => !principal.scopes.has(scope));
  if (missing.length > 0) throw new ApiError('scopeMissing', `The scope ${missing.join(', ')} is required.`);
  if (anyScope && !anyScope.some((scope) => principal.scopes.has(scope)))
    throw new ApiError('scopeMissing', `One of the scopes ${anyScope.join(', ')} is required.`);
}

function checkBodyHeaders(operation: OperationSpec, request: FastifyRequest): void {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const length = headers['content-length'];
  const isChunked = headers['transfer-encoding'] !== undefined;
  const isNeeded = operation.body !== undefined && !operation.bodyOptional;
  if (length !== undefined && Number(length) > bodyLimitOf(operation)) throw tooLarge(operation);
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new ApiError('unsupportedMediaType', 'Content-Encoding is not supported: send the body as it is.');
  }
  if (isNeeded || Number(length) > 0) return requireJson(headers['content-type']);
  // Many clients name a form type, or none, without sending a body; Fastify would refuse it.
  if (!isChunked) headers['content-type'] = undefined;
  else if (!isJson(headers['content-type'])) {
    request.mustBeEmpty = true;
    headers['content-type'] = 'application/json';
  } else requireJson(headers['content-type']);
}

const UTF8 = /^"?utf-?8"?$/i;

const isJson = (header: string | undefined) =>
  header?.split(';', 1)[0]!.trim().toLowerCase() === 'application/json';

function requireJson(header: string | undefined): void {
  if (header === 'application/json') return;
  if (!isJson(header)) throw notJson();
  const [, ...parameters] = header!.split(';').map((part) => part.trim());
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=');
    if (name?.trim().toLowerCase() === 'charset' && !UTF8.test(value?.trim() ?? '')) {
      throw new ApiError('unsupportedMediaType', 'The charset of Content-Type must be utf-8.');
    }
  }
}

export const MAX_HEADERS = 100;

/** A second one could make a proxy in front read a different request. */
const FRAMING = new Set(['host', 'content-length', 'transfer-encoding', 'authorization']);

const SINGLE = new Set([
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-correlation-id',
  ACCOUNT_HEADER,
  'if-match',
  'range',
  'expect',
]);

export interface Repetition {
  readonly name: string;
  readonly framing: boolean;
}

/** Framing headers first; Node silently keeps the first value. */
export function repeatedHeader({ headers, rawHeaders }: IncomingMessage): Repetition | undefined {
  const hasDuplicates = Object.keys(headers).length * 2 < rawHeaders.length;
  return hasDuplicates ? firstRepetition(rawHeaders) : undefined;
}

function firstRepetition(rawHeaders: readonly string[]): Repetition | undefined {
  let seen: Set<string> | undefined;
  let found: Repetition | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const framing = FRAMING.has(name);
    if (!framing && !SINGLE.has(name)) continue;
    if (!seen) seen = new Set([name]);
    else if (!seen.has(name)) seen.add(name);
    else if (framing || !found) found = { name, framing };
    if (found?.framing) return found;
  }
  return found;
}

const NOTHING_ENCODED = /^[!-$&-~]*$/;
const ASCII = /^[!-~]*$/;

/** Fastify would keep a broken percent sequence (RFC 3986, 2.1) as text. @throws ApiError 400 */
export function refuseMalformedQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || NOTHING_ENCODED.test(url)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    if (isPercentEncodedUtf8(pair)) continue;
    const name = shown(pair.split('=', 1)[0]!);
    throw new ApiError('malformed', `The query parameter ${name} must be percent-encoded UTF-8.`);
  }
}

function isPercentEncodedUtf8(text: string): boolean {
  if (!ASCII.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
