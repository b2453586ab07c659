import type { DomainEvent, Recorded } from './recorded-event.js';
import type { Instant, Milliseconds } from './time.js';

/** The grace that a timer measures: why it may wait although it is due. */
export interface KeptAlive {
  /**
   * Key of the heartbeat in the liveness store, e.g. `lease:<lease_id>`, `computer:<computer_id>`. Without one
   * only a start of the service prolongs the grace.
   */
  readonly by?: string;
  /** How long one heartbeat lasts. A start of the service counts as a heartbeat of everything. */
  readonly forMs: Milliseconds;
  /** Heartbeats do not prolong the grace beyond this; a start of the service does. */
  readonly atMost?: Instant;
}

/** A promise to send a command at a time; armed and disarmed by events, kept as a read model. */
export interface Timer {
  /** `<process>:<subject>`; arming it again replaces it. */
  readonly id: string;
  readonly process: string;
  readonly due_at: Instant;
  /** What the command needs; plain JSON, never a secret. */
  readonly payload: Readonly<Record<string, string | number>>;
  readonly kept_alive?: KeptAlive;
  /** The event that armed it: the causation id of the command. */
  readonly armed_by: string;
  /** Correlation id of that event, so that what follows is found by the request that began it. */
  readonly correlation_id: string;
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

/** Reacts to events by arming and disarming timers. Pure; "now" is a timer that is due at once. */
export interface Process<E extends DomainEvent = DomainEvent> {
  /** kebab-case, the reason: `lease-expiry`. */
  readonly name: string;
  readonly handles: readonly E['type'][];
  react(event: Recorded<E>): readonly Reaction[];
}

export type AnyProcess = Process<any>;

export function schedule(
  subject: string,
  due: Instant,
  payload: Timer['payload'],
  keptAlive?: KeptAlive,
): Reaction {
  return { kind: 'schedule', subject, due, payload, ...(keptAlive && { keptAlive }) };
}

export function unschedule(subject: string): Reaction {
  return { kind: 'unschedule', subject };
}
