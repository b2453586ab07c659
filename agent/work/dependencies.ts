import type { Logger } from 'pino';
import type { Printers } from '../printers/printers.js';
import type { ServiceClient } from '../service/service-client.js';
import type { Simulation } from '../simulation.js';
import type { Journal } from '../state/journal.js';
import type { Outbox } from '../state/outbox.js';
import type { Tracing } from '../tracing.js';
import type { Sessions } from './sessions.js';
import type { StuckPrinters } from './stuck-printers.js';

/** Shared dependencies of the classes that work on jobs. */
export interface Dependencies {
  readonly client: ServiceClient;
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly printers: Printers;
  readonly stuck: StuckPrinters;
  readonly simulation: Simulation;
  readonly log: Logger;
  /** Absent without a collector. */
  readonly tracing: Tracing | undefined;
}
