import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ApiError } from '../../../http/errors/api-error.js';
import {
  cookie,
  cookieOf,
  PUBLIC_ADDRESS,
  type PublicAddress,
  type Site,
  siteOf,
} from '../../../http/session-cookie.js';
import { hashCredential, hideCredentials, isCredential } from '../../../kernel/credential.js';
import { RateCounters } from '../../../kernel/rate-counters.js';
import { MasterKey } from '../../../kernel/sealing.js';
import type { Milliseconds } from '../../../kernel/time.js';

export interface Networks {
  /** The IPv4 address itself; of an IPv6 address its network of 64 bits, in which a customer has any address. */
  readonly address: string;
  /** The network of 48 bits of an IPv6 address. */
  readonly site?: string;
}

/** @param source as the socket or a trusted proxy names it */
export function networksOf(source: string): Networks {
  const address = source.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '');
  if (!isIPv6(address)) return { address };
  const [left = [], right = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].map((group) => parseInt(group, 16).toString(16));
  const prefix = (count: number) => `${groups.slice(0, count).join(':')}::/${16 * count}`;
  return { address: prefix(4), site: prefix(3) };
}

/** Longer ones are cut: events keep them for ever. */
const MAX_CLIENT_TEXT = 200;

/** Without characters that could disturb a terminal, and without anything shaped like a credential. */
const plain = (text: string) => hideCredentials(text).replace(/\p{C}/gu, '').slice(0, MAX_CLIENT_TEXT);

export function clientOf({ ip, headers: { 'user-agent': userAgent } }: FastifyRequest) {
  return { address: plain(ip), ...(userAgent && { userAgent: plain(userAgent) }) };
}

export const viaOf = (request: FastifyRequest) => ({
  correlationId: request.correlationId!,
  requestId: request.id,
});

const MINUTE: Milliseconds = 60_000;
/** An IPv4 address, or an IPv6 network of 64 bits: one customer of a provider. */
const ATTEMPTS_OF_ADDRESS = 20;
/** An IPv6 network of 48 bits: one site, which has 65,536 of the others. */
const ATTEMPTS_OF_SITE = 100;
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

  /**
   * Counts an attempt to sign in, before any hashing; resolves to the attempts of the address in this minute.
   * @param networks of the source address @throws ApiError 429
   */
  async countAttempt({ address, site }: Networks): Promise<number> {
    // The site first: beyond its limit its addresses get no counters.
    if (site !== undefined) await this.count(site, ATTEMPTS_OF_SITE);
    return this.count(address, ATTEMPTS_OF_ADDRESS);
  }

  private async count(network: string, limit: number): Promise<number> {
    const { consumed, leftMs } = await this.counters.add(`sign-in-address:${network}`, 1, MINUTE);
    if (consumed > limit) throw tooMany(leftMs);
    return consumed;
  }

  /**
   * Runs a check of a password for a sign-in name, known or not, or for a signed-in member; it resolves to whether the
   * password was right. Ten wrong ones within 15 minutes block the subject for 15 minutes, also for the right one. A
   * check counts as wrong until it ends, so that checks at once are no more guesses. @throws ApiError 429
   */
  async guarded<T>(
    subject: { readonly kind: 'name' | 'member'; readonly id: string },
    check: () => Promise<T>,
    wasRight: (result: T) => boolean,
  ): Promise<T> {
    const key = `${subject.kind}:${subject.id}`;
    const block = await this.counters.add(`sign-in-blocked:${key}`, 0, BLOCK);
    if (block.consumed > 0) throw tooMany(block.leftMs);
    const wrongKey = `sign-in-wrong:${key}`;
    const wrong = await this.counters.add(wrongKey, 1, BLOCK);
    if (wrong.consumed > WRONG_PASSWORDS) throw tooMany(wrong.leftMs);
    let isRight = true;
    try {
      const result = await check();
      isRight = wasRight(result);
      return result;
    } finally {
      if (isRight) await this.counters.add(wrongKey, -1, BLOCK);
      else if (wrong.consumed === WRONG_PASSWORDS) {
        await this.counters.add(`sign-in-blocked:${key}`, 1, BLOCK);
        this.blocks.blocked(subject.id);
      }
    }
  }
}

const tooMany = (leftMs: Milliseconds) =>
  new ApiError('rateLimited', 'Too many attempts to sign in.', {
    'retry-after': String(Math.max(1, Math.ceil(leftMs / 1000))),
  });

const NAME = 'svc_known';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Browsers in which a member signed in before, whose passwords are hashed before those of strangers. The cookie is the
 * member's id with a MAC; it gives no right.
 */
@Injectable()
export class KnownBrowsers {
  private readonly key: Uint8Array;
  private readonly site: Site;

  constructor(masterKey: MasterKey, @Inject(PUBLIC_ADDRESS) address: PublicAddress) {
    this.key = masterKey.derive('known-browsers');
    this.site = siteOf(address.publicUrl);
  }

  /** Id of the member who signed in with this browser last. */
  memberOf(request: FastifyRequest): string | undefined {
    const value = cookieOf(request, this.site, NAME) ?? '';
    const [memberId = ''] = value.split('.');
    return isCredential(value, hashCredential(this.valueFor(memberId))) ? memberId : undefined;
  }

  cookieFor(request: FastifyRequest, memberId: string): string {
    return cookie(request, this.site, {
      purpose: NAME,
      value: this.valueFor(memberId),
      maxAge: YEAR_SECONDS,
    });
  }

  private valueFor(memberId: string): string {
    return `${memberId}.${createHmac('sha256', this.key).update(memberId).digest('base64url')}`;
  }
}
