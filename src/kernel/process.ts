import type { DomainEvent, Recorded } from './recorded-event.js';
import type { Instant, Milliseconds } from './time.js';

export interface KeptAlive {
  /** Key in the liveness store, e.g. `lease:<lease_id>`. If absent, only a start extends the grace. */
  readonly by?: string;
  /** Grace after one heartbeat. A start of the service counts as a heartbeat of every key. */
  readonly forMs: Milliseconds;
  /** Latest end of the grace by heartbeats; a start of the service may extend it further. */
  readonly atMost?: Instant;
}

export interface ArmedTimer {
  readonly due_at: Instant;
  /** Plain JSON, never a secret. */
  readonly payload: Readonly<Record<string, string | number>>;
  readonly kept_alive?: KeptAlive;
  /** Event id; becomes the causation id of the command. */
  readonly armed_by: string;
  /** Correlates later events with the original request. */
  readonly correlation_id: string;
}

export interface Timer extends ArmedTimer {
  readonly process: string;
  /** Arming a timer of the same process and subject again replaces it. */
  readonly subject: string;
}

export type Reaction =
  | {
      readonly kind: 'schedule';
      readonly subject: string;
      readonly due: Instant;
      readonly payload: Timer['payload'];
      readonly keptAlive?: KeptAlive;
    }
  | { readonly kind: 'unschedule'; readonly subject: string };

/** Pure; an immediate reaction is a timer due at once. All events of a subject come from one stream. */
export interface Process<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly handles: readonly E['type'][];
  react(event: Recorded<E>): readonly Reaction[];
}

export type AnyProcess = Process<any>;

export function schedule(
  subject: string,
  due: Instant,
  payload: Timer['payload'] = {},
  keptAlive?: KeptAlive,
): Reaction {
  return { kind: 'schedule', subject, due, payload, ...(keptAlive && { keptAlive }) };
}

export function unschedule(subject: string): Reaction {
  return { kind: 'unschedule', subject };
}
