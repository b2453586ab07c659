import type { Logger } from 'pino';
import type { Milliseconds } from '../kernel/time.js';
import type { Surface } from './surface.js';

/** What the HTTP edge needs besides clock, randomness and rate counters. */
export abstract class HttpOptions {
  abstract readonly productVersion: string;
  /** The first one answers unknown paths. */
  abstract readonly surfaces: readonly Surface[];
  abstract readonly logger: Logger;
  abstract readonly metrics?: { observe(operation: string, status: number, seconds: number): void };
  /** Multiplies all rate limits; 0 switches them off. */
  abstract readonly rateLimitFactor?: number;
  /** Ids of operations without a credential in this installation (`metrics` with METRICS_PUBLIC). */
  abstract readonly openOperations?: readonly string[];
  /** Limits of bodies of more than 64 KiB. */
  abstract readonly uploads?: UploadLimits;
  /** Address of the service as browsers see it: only its own pages may use a session cookie. */
  abstract readonly publicUrl?: string | undefined;
  /** Whether the pages of the panel are served. */
  abstract readonly panelPages?: boolean;
}

/** Memory for large bodies, and the places of those who send them. */
export interface SpaceLimits {
  /** Size of all large bodies that are received and read at once. */
  readonly bytes: number;
  /** Bodies of one owner that are received and read at once: more would queue in front of others in the reader. */
  readonly bodiesOfOwner: number;
  /** Maximum number of waiting bodies of one owner; more are refused. */
  readonly waitingOfOwner: number;
  /** The same for all owners. */
  readonly waiting: number;
}

/** A body brings at least so many bytes in each window. */
export interface Pace {
  readonly bytes: number;
  readonly windowMs: Milliseconds;
}

export interface UploadLimits extends SpaceLimits {
  /** Of a large body. */
  readonly pace: Pace;
}
