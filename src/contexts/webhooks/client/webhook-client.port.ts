import type { Milliseconds } from '../../../kernel/time.js';

/** Why a request did not end in a 2xx. `TARGET_REFUSED`: the address rule forbids the target. */
export type SendFailure =
  'HTTP_STATUS' | 'TIMEOUT' | 'CONNECTION_FAILED' | 'TLS_FAILED' | 'DNS_FAILED' | 'TARGET_REFUSED';

export interface WebhookRequest {
  /** As normalised by `examine`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WebhookAnswer {
  /** Absent after a 2xx in time. */
  readonly failureCode?: SendFailure;
  readonly responseStatus?: number;
  /** Duration of the whole request, including name resolution. */
  readonly durationMs: Milliseconds;
  /** At most 1 KiB of the body, as text without control characters. */
  readonly responseBody?: string;
  readonly retryAfterMs?: Milliseconds;
}

export type TargetVerdict =
  | { readonly allowed: true; /** As normalised by WHATWG URL. */ readonly target: string }
  | { readonly allowed: false; /** A sentence without a subject: `must be …`. */ readonly rule: string };

/** Calls webhook receivers. It never connects to a private address (docs/webhooks.md). */
export abstract class WebhookClient {
  /** Checks the URL and every address of its name against the rules for webhook targets. */
  abstract examine(url: string): Promise<TargetVerdict>;
  /** Sends one POST. Never rejects; ends within the configured time; follows no redirect. */
  abstract send(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Aborts the requests in flight. */
  abstract close(): Promise<void>;
}
