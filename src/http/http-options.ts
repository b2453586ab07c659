import type { Logger } from 'pino';
import type { Milliseconds } from '../kernel/time.js';
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
