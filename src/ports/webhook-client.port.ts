import type { Milliseconds } from '../kernel/time.js';

/** Why a request did not end in a 2xx. `TARGET_REFUSED`: the address rule forbids to call it. */
export type SendFailure =
  'HTTP_STATUS' | 'TIMEOUT' | 'CONNECTION_FAILED' | 'TLS_FAILED' | 'DNS_FAILED' | 'TARGET_REFUSED';

export interface WebhookRequest {
  /** As `examine` wrote it. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WebhookAnswer {
  /** Absent: a 2xx came, in time. */
  readonly failureCode?: SendFailure;
  readonly responseStatus?: number;
  /** Of the whole exchange, name resolution included. */
  readonly durationMs: Milliseconds;
  /** At most 1 KiB of the body, as text without control characters. */
  readonly responseBody?: string;
  /** From the Retry-After of a 429 or 503. */
  readonly retryAfterMs?: Milliseconds;
}

export type TargetVerdict =
  | { readonly allowed: true; /** As WHATWG URL writes it. */ readonly target: string }
  | { readonly allowed: false; /** A sentence without a subject: `must be …`. */ readonly rule: string };

/** Calls webhook receivers. It never connects to a private address (docs/webhooks.md). */
export abstract class WebhookClient {
  /** Whether webhooks may be sent there now: looks at the URL, and at every address of its name. */
  abstract examine(url: string): Promise<TargetVerdict>;
  /** One POST. Never rejects; ends within the configured time; follows no redirect. */
  abstract send(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Ends what is under way. */
  abstract close(): Promise<void>;
}
