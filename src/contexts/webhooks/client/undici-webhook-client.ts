import { LRUCache } from 'lru-cache';
import type { Socket } from 'node:net';
import type * as Undici from 'undici';
import type { Milliseconds } from '../../../kernel/time.js';
import {
  WebhookClient,
  type TargetVerdict,
  type WebhookAnswer,
  type WebhookRequest,
} from './webhook-client.port.js';
import { Exchange, retryAfterMs, SendError, type Response } from './exchange.js';
import { makeAddressRule, PRIVATE_TOO, PUBLIC_ONLY, type AddressRule } from './target/address-rule.js';
import { Admission, askMachine, askNameServers, type Admitted, type Resolve } from './target/admission.js';
import { vettedConnector } from './vetted-connector.js';

interface WebhookClientOptions {
  /** Limit for name resolution, connection, request and answer together. */
  readonly timeoutMs: Milliseconds;
  /** Development: allows http, any port and private addresses. */
  readonly allowInsecure: boolean;
  /** See AddressRanges. */
  readonly operatorAllowed?: readonly string[];
  readonly operatorDenied?: readonly string[];
  readonly resolve?: Resolve;
  readonly rule?: AddressRule;
  readonly ca?: string;
  readonly onSocket?: (socket: Socket) => void;
}

interface TargetPool {
  readonly pool: Undici.Pool;
  readonly waiting: Set<Exchange>;
}

const RESOLVE_WITHIN_MS = 3_000;
const CONNECT_WITHIN_MS = 5_000;
const SOCKETS_LIVE_MS = 60_000;
const IDLE_SOCKET_MS = 4_000;
const MAX_POOLS = 1_000;
const MAX_SOCKETS_PER_POOL = 64;
const MAX_HEADER_BYTES = 16 * 1024;

/** Loaded for the first request: saves 0.1 s and 10 MB at the start. */
let undici: typeof Undici | undefined;

/** Ignores proxy settings of the environment. */
export class UndiciWebhookClient extends WebhookClient {
  private readonly rule: AddressRule;
  private readonly admission: Admission;
  /** By origin and addresses: a socket is reused only while its name resolves to the same addresses. */
  private readonly pools = new LRUCache<string, TargetPool>({
    max: MAX_POOLS,
    ttl: SOCKETS_LIVE_MS,
    dispose: ({ pool }) => void pool.close().catch(() => undefined),
  });

  constructor(private readonly options: WebhookClientOptions) {
    super();
    const { allowInsecure: insecure, operatorAllowed = [], operatorDenied = [], timeoutMs } = options;
    const ranges = { ...(insecure ? PRIVATE_TOO : PUBLIC_ONLY), operatorAllowed, operatorDenied };
    this.rule = options.rule ?? makeAddressRule(ranges);
    const resolve = options.resolve ?? (insecure ? askMachine : askNameServers());
    const resolveWithinMs = Math.min(RESOLVE_WITHIN_MS, timeoutMs);
    const operatorAllows = operatorAllowed.length > 0;
    this.admission = new Admission({ insecure, operatorAllows, rule: this.rule, resolve, resolveWithinMs });
  }

  async examine(url: string): Promise<TargetVerdict> {
    try {
      const admitted = await this.admission.admit(url);
      return { allowed: true, target: admitted.url.href };
    } catch (error) {
      if (error instanceof SendError) return { allowed: false, rule: error.message };
      throw error;
    }
  }

  async send(request: WebhookRequest): Promise<WebhookAnswer> {
    const start = performance.now();
    const durationMs = () => Math.round(performance.now() - start);
    try {
      const admitted = await this.admission.admit(request.target);
      const response = await this.post(admitted, request, start);
      return { ...answerTo(response), durationMs: durationMs() };
    } catch (error) {
      const failureCode = error instanceof SendError ? error.failure : 'CONNECTION_FAILED';
      return { failureCode, durationMs: durationMs() };
    }
  }

  async close(): Promise<void> {
    const targets = [...this.pools.values()];
    this.pools.clear();
    for (const { waiting } of targets) for (const exchange of waiting) exchange.expire();
    await Promise.all(targets.map(({ pool }) => pool.destroy()));
  }

  private async post(
    admitted: Admitted,
    { headers, body }: WebhookRequest,
    start: number,
  ): Promise<Response> {
    const { Pool } = (undici ??= await import('undici'));
    const left = this.options.timeoutMs - (performance.now() - start);
    if (left <= 0) throw new SendError('TIMEOUT', 'no time left');
    const exchange = new Exchange();
    const timer = setTimeout(() => exchange.expire(), left);
    const { pool, waiting } = this.poolFor(admitted, Pool);
    waiting.add(exchange);
    const { origin, pathname, search } = admitted.url;
    try {
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
      pool.dispatch(request, exchange);
      return await exchange.response;
    } finally {
      clearTimeout(timer);
      waiting.delete(exchange);
    }
  }

  private poolFor(admitted: Admitted, Pool: typeof Undici.Pool): TargetPool {
    const { origin } = admitted.url;
    const key = [origin, ...admitted.addresses].join(' ');
    const known = this.pools.get(key);
    if (known) return known;
    const { ca, onSocket, timeoutMs } = this.options;
    const connectWithinMs = Math.min(CONNECT_WITHIN_MS, timeoutMs);
    const waiting = new Set<Exchange>();
    const isWanted = () => [...waiting].some((exchange) => !exchange.isOver);
    const pool = new Pool(origin, {
      connect: vettedConnector(admitted, { rule: this.rule, connectWithinMs, ca, onSocket, isWanted }),
      connections: MAX_SOCKETS_PER_POOL,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: SOCKETS_LIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The exchange has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const target = { pool, waiting };
    this.pools.set(key, target);
    return target;
  }
}

function answerTo({ status, retryAfter, start }: Response): Omit<WebhookAnswer, 'durationMs'> {
  const taken = status >= 200 && status < 300;
  const mayWait = status === 429 || status === 503;
  const wait = mayWait ? retryAfterMs(retryAfter, Date.now()) : undefined;
  return {
    responseStatus: status,
    ...(!taken && { failureCode: 'HTTP_STATUS' as const }),
    ...(start.length > 0 && { responseBody: readable(start) }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

/** Control characters could harm the reader's terminal or page. */
function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\p{Cc}+/gu, ' ');
}
