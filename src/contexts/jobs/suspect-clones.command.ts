import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** A replaced session of the computer is still running: parks the jobs whose retry relies on its silence. */
export class SuspectClones extends Command<void> {
  constructor(
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
