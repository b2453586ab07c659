import type { Command } from './command.js';
import type { DomainEvent, Origin, Recorded, RecordedEvent } from './recorded-event.js';
import type { Instant, Milliseconds } from './time.js';

/** Lets heartbeats defer a due timer. */
export interface KeptAlive {
  /**
   * Key of the heartbeat in the liveness store, e.g. `lease:<lease_id>`, `computer:<computer_id>`. If absent,
   * only a start of the service extends the grace.
   */
  readonly by?: string;
  /** Grace after one heartbeat. A start of the service counts as a heartbeat of every key. */
  readonly forMs: Milliseconds;
  /** Latest end of the grace by heartbeats; a start of the service may extend it further. */
  readonly atMost?: Instant;
}

/** A timer as it is stored, by its process, in the document of its subject. */
export interface ArmedTimer {
  readonly due_at: Instant;
  /** Parameters of the command beside the subject; plain JSON, never a secret. */
  readonly payload: Readonly<Record<string, string | number>>;
  readonly kept_alive?: KeptAlive;
  /** Id of the arming event, which becomes the causation id of the command. */
  readonly armed_by: string;
  /** Correlation id of that event, so that later events are found by the original request. */
  readonly correlation_id: string;
}

/** Sends a command at a set time; armed and disarmed by events, stored in a read model. */
export interface Timer extends ArmedTimer {
  readonly process: string;
  /** Id of what the command is for, e.g. a job. Arming a timer of the same process and subject again replaces it. */
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

/**
 * Reacts to events by arming and disarming timers. Pure; an immediate reaction is a timer due at once. All
 * events about one subject come from one stream.
 */
export interface Process<E extends DomainEvent = DomainEvent> {
  /** Kebab-case name of the reason, e.g. `lease-expiry`. */
  readonly name: string;
  readonly handles: readonly E['type'][];
  react(event: Recorded<E>): readonly Reaction[];
}

export type AnyProcess = Process<any>;

interface Sent {
  readonly ok: boolean;
  readonly events?: readonly RecordedEvent[];
}

/** A process with the command that it sends when a timer is due. */
export type TimedProcess<E extends DomainEvent = any> = Process<E> & {
  readonly command: (timer: Timer, at: Instant, by: Origin) => Command<Sent>;
};

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
