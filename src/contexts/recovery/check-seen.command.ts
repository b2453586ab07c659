import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/**
 * Compares the newest position seen by an agent with the store before the agent gets anything to print. If the
 * store has lost that event, parks the computer's jobs that may have been handed out since.
 */
export class CheckSeen extends Command<void> {
  constructor(
    readonly computerId: string,
    /** A position from an answer of this service. */
    readonly seen: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
