import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant, Milliseconds } from '../../src/kernel/time.js';

/** `pending`: enrolled, but never connected. `gone`: revoked or removed. */
export const PRESENCES = ['pending', 'online', 'offline', 'disabled', 'gone'] as const;
export type Presence = (typeof PRESENCES)[number];

/** Until the next one begins. */
export interface PresenceInterval {
  readonly state: Presence;
  readonly since: Instant;
}

/** Presence of one computer or printer, now and in the hours before. */
export interface AvailabilityDocument extends PresenceInterval {
  readonly id: string;
  readonly kind: 'computer' | 'printer';
  readonly account_id: string;
  /** Oldest first; without those that ended more than `PRESENCE_KEPT` before the newest change. */
  readonly earlier: readonly PresenceInterval[];
}

export const PRESENCE_KEPT: Milliseconds = 48 * 3_600_000;
/** A printer that changes more often loses its oldest intervals. */
export const MAX_INTERVALS = 100;

export const availabilityView: ViewDefinition<AvailabilityDocument> = {
  name: 'availability',
  version: 1,
  indexes: [{ fields: ['account_id', 'kind', 'state'] }],
};
