import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/**
 * Compares the newest position that an agent has seen with the store, before the agent gets anything to print. When
 * the store has lost that event, the jobs of the computer that may have been handed out since are parked.
 */
export class CheckSeen extends Command<void> {
  constructor(
    readonly computerId: string,
    /** A position in an answer of this service. */
    readonly seen: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
