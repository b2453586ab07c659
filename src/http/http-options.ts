import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Milliseconds } from '../kernel/time.js';
import type { Tracing } from '../kernel/tracing.js';
import type { Surface } from './surface.js';

export abstract class HttpOptions {
  abstract readonly productVersion: string;
  abstract readonly surfaces: readonly Surface[];
  abstract readonly logger: Logger;
  abstract readonly metrics?: { observe(operation: string, status: number, seconds: number): void };
  abstract readonly rateLimitFactor?: number;
  /** Need no credential in this installation (`metrics` with METRICS_PUBLIC). */
  abstract readonly openOperations?: readonly string[];
  /** Limits of bodies of more than 64 KiB. */
  abstract readonly uploads?: UploadLimits;
  /** Only pages of this origin may use a session cookie. */
  abstract readonly publicUrl?: string | undefined;
  abstract readonly panelPages?: boolean;
  /** Folder with the packages of the Agent, if not beside the build. */
  abstract readonly agentPackages?: string | undefined;
  abstract readonly tracing?: Tracing | undefined;
  /** Ed25519 public keys that verify webhooks. */
  abstract readonly webhookKeys?: readonly Uint8Array[];
}

export interface SpaceLimits {
  readonly bytes: number;
  /** Bodies of one owner received and read at once: more would block others in the reader. */
  readonly bodiesOfOwner: number;
  readonly waitingOfOwner: number;
  readonly waiting: number;
}

export interface Pace {
  readonly bytes: number;
  readonly windowMs: Milliseconds;
}

export interface UploadLimits extends SpaceLimits {
  readonly pace: Pace;
}

/** In milliseconds. */
export interface Timeouts {
  /** From the first byte of a request to the end of its head. */
  readonly headers: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** Longer than the usual 60 s of proxies. */
  readonly idle: number;
  /** Without progress while the client does not read; checked at this interval, so up to twice as long. */
  readonly unread: number;
  readonly check: number;
}

const defaultTimeouts: Timeouts = {
  headers: 10_000,
  request: 60_000,
  idle: 72_000,
  unread: 15_000,
  check: 1_000,
};

const MAX_HEADER_BYTES = 16_384;
const MAX_PARAM_LENGTH = 1_024;

/** Saves loading 140 files at the start: no route has a schema. */
const NO_SCHEMAS = { buildValidator: noCompiler, buildSerializer: noCompiler };

export interface ServerOptions {
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Addresses and ranges of proxies with trusted `X-Forwarded-For`. */
  readonly trustedProxies?: readonly string[];
}

export const timeoutsOf = ({ timeouts }: ServerOptions): Timeouts => ({ ...defaultTimeouts, ...timeouts });

/** @param refuse answers a path that cannot be decoded, or with overlong segments */
export function fastifyOptions(options: ServerOptions, refuse: (reply: FastifyReply) => void) {
  const { trustedProxies = [] } = options;
  const times = timeoutsOf(options);
  return {
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: Number.MAX_SAFE_INTEGER, // body-parser.ts has the limit.
    requestTimeout: times.request,
    keepAliveTimeout: times.idle,
    connectionTimeout: times.unread,
    requestIdHeader: false as const,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    skipMiddie: true, // Nest middleware is not used, and would cost every request.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, caseSensitive: true },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.check,
      requireHostHeader: false, // Checked in header-checks.ts instead, because Node would answer without a body.
    },
    frameworkErrors: (_: unknown, __: unknown, reply: FastifyReply) => refuse(reply),
  };
}

function noCompiler(): never {
  throw new Error('routes have no Fastify schemas: their operations check requests');
}
