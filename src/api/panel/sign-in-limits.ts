import { Injectable } from '@nestjs/common';
import { ApiError } from '../../http/errors/api-error.js';
import type { Milliseconds } from '../../kernel/time.js';
import { RateCounters } from '../../ports/rate-counters.port.js';

const MINUTE: Milliseconds = 60_000;
const ATTEMPTS_OF_ADDRESS = 20;
const WRONG_PASSWORDS = 10;
const BLOCK: Milliseconds = 15 * MINUTE;

/** What happens when a sign-in name is blocked: a warning in the log, and a metric. */
export abstract class BlockedSignIns {
  abstract blocked(signInName: string): void;
}

/**
 * Limits against guessing passwords, which all instances share. `RATE_LIMIT_FACTOR` does not apply: switched-off rate
 * limits must not open the panel.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly counters: RateCounters,
    private readonly blocks: BlockedSignIns,
  ) {}

  /** Counts an attempt to sign in, before any hashing. @throws ApiError 429 */
  async countAttempt(address: string): Promise<void> {
    const { consumed, leftMs } = await this.counters.add(`sign-in-address:${address}`, 1, MINUTE);
    if (consumed > ATTEMPTS_OF_ADDRESS) throw tooMany(leftMs);
  }

  /**
   * Runs a check of a password for a sign-in name, known or not; it resolves to whether the password was right. Ten
   * wrong ones within 15 minutes block the name for 15 minutes, also for the right one. A check counts as wrong until it
   * ends, so that checks at once are no more guesses. @throws ApiError 429
   */
  async guarded<T>(
    signInName: string,
    check: () => Promise<T>,
    wasRight: (result: T) => boolean,
  ): Promise<T> {
    const block = await this.counters.add(`sign-in-blocked:${signInName}`, 0, BLOCK);
    if (block.consumed > 0) throw tooMany(block.leftMs);
    const wrongKey = `sign-in-wrong:${signInName}`;
    const wrong = await this.counters.add(wrongKey, 1, BLOCK);
    if (wrong.consumed > WRONG_PASSWORDS) throw tooMany(wrong.leftMs);
    let isRight = true;
    try {
      const result = await check();
      isRight = wasRight(result);
      return result;
    } finally {
      if (isRight) await this.counters.add(wrongKey, -1, BLOCK);
      else if (wrong.consumed === WRONG_PASSWORDS) await this.block(signInName);
    }
  }

  private async block(signInName: string): Promise<void> {
    await this.counters.add(`sign-in-blocked:${signInName}`, 1, BLOCK);
    this.blocks.blocked(signInName);
  }
}

const tooMany = (leftMs: Milliseconds) =>
  new ApiError('rateLimited', 'Too many attempts to sign in.', {
    'retry-after': String(Math.max(1, Math.ceil(leftMs / 1000))),
  });
