import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Milliseconds } from '../../kernel/time.js';
import { RateCounters, type RateWindow } from '../../kernel/rate-counters.js';
import { ApiError } from '../errors/api-error.js';
import { HttpOptions } from '../http-options.js';
import type { OperationSpec } from '../operation.js';

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface RateCount {
  readonly limiter: string;
  readonly perMinute: number;
  readonly key: string;
}

const WINDOW_MS: Milliseconds = 60_000;
const FAILED_AUTHENTICATIONS_PER_MINUTE = 60;

/** Fixed windows of a minute from the first request, one counter per limiter and key. */
@Injectable()
export class RateLimits {
  private readonly factor: number;

  constructor(
    private readonly counters: RateCounters,
    @Inject(HttpOptions) { rateLimitFactor = 1 }: Pick<HttpOptions, 'rateLimitFactor'>,
  ) {
    this.factor = rateLimitFactor;
  }

  /** Undefined if limits are off. */
  count(count: RateCount): Promise<RateState | undefined> {
    return this.add(count, 1);
  }

  async uncount(count: RateCount): Promise<RateState | undefined> {
    const state = await this.add(count, -1);
    return state && { ...state, exceeded: false };
  }

  /** By credential, or by address if none is required: per operation, and per surface if it has a limit. */
  countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.countAll(countsOf(request.operation!, request), request, reply);
  }

  async countByKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id, limit } = request.operation!;
    if (!limit?.key) return;
    const count = { limiter: id, perMinute: limit.perMinute, key: limit.key(request) };
    await this.countAll([count], request, reply);
  }

  /** An unchanged resource (304) is not counted. */
  async uncountRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { counted = [] } = request;
    const states = await Promise.all(counted.map((count) => this.uncount(count)));
    const tightest = tightestOf(states);
    if (tightest) showRate(reply, tightest);
  }

  /** By address; above that limit by record, so that a revoked agent gets its 401 behind a busy proxy. */
  async failedAuthentication(request: FastifyRequest): Promise<RateState | undefined> {
    const perMinute = FAILED_AUTHENTICATIONS_PER_MINUTE;
    const byAddress = await this.count({ limiter: 'failed-authentication', perMinute, key: request.ip });
    if (!byAddress?.exceeded) return byAddress;
    const key = await request.refusedCredential?.();
    return key === undefined ? byAddress : this.count({ limiter: 'failed-credential', perMinute, key });
  }

  private async countAll(counts: RateCount[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (counts.length === 0) return;
    const states = await Promise.all(counts.map((count) => this.count(count)));
    request.counted = request.counted ? [...request.counted, ...counts] : counts;
    const tightest = tightestOf(states);
    if (!tightest) return;
    request.rate = tightest;
    showRate(reply, tightest);
    if (tightest.exceeded) throw new ApiError('rateLimited');
  }

  private async add({ limiter, perMinute, key }: RateCount, points: number): Promise<RateState | undefined> {
    if (this.factor === 0) return undefined;
    const limit = Math.max(1, Math.round(perMinute * this.factor));
    return stateOf(await this.counters.add(`${limiter}:${key}`, points, WINDOW_MS, limit), limit);
  }
}

function stateOf({ consumed, leftMs }: RateWindow, limit: number): RateState {
  return {
    limit,
    remaining: Math.max(0, Math.min(limit, limit - consumed)),
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    exceeded: consumed > limit,
  };
}

export function showRate(reply: FastifyReply, state: RateState): void {
  reply.header('ratelimit-limit', state.limit);
  reply.header('ratelimit-remaining', state.remaining);
  reply.header('ratelimit-reset', state.resetSeconds);
  if (state.exceeded) reply.header('retry-after', state.resetSeconds);
}

function countsOf({ id, limit, surface }: OperationSpec, request: FastifyRequest): RateCount[] {
  const { principal } = request;
  const key = principal?.credentialId ?? request.ip;
  const counts: RateCount[] = [];
  if (limit && !limit.key) counts.push({ limiter: id, perMinute: limit.perMinute, key });
  if (surface.perMinute && principal)
    counts.push({ limiter: surface.name, perMinute: surface.perMinute, key });
  return counts;
}

function tightestOf(states: readonly (RateState | undefined)[]): RateState | undefined {
  let tightest: RateState | undefined;
  for (const state of states) if (state && (!tightest || isTighter(state, tightest))) tightest = state;
  return tightest;
}

const isTighter = (a: RateState, b: RateState) =>
  a.exceeded !== b.exceeded
    ? a.exceeded
    : a.exceeded
      ? a.resetSeconds > b.resetSeconds
      : a.remaining < b.remaining;
