import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { NONCE_BYTES, openSecret, sealSecret, type SealedSecret, MasterKey } from '../../kernel/sealing.js';
import { Randomness } from '../../kernel/ids.js';
import { UnavailableError } from '../../kernel/errors.js';

/** From OWASP's Password Storage Cheat Sheet: 32 MiB, about 0.4 s on a slow core. */
const COST = { logN: 15, r: 8, p: 3 } as const;
/** Node's default limit is too low for these parameters. */
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PURPOSE = 'member-passwords';

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, both in base64. */
const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([^$]+)\$([^$]+)$/;

/** Seals each hash for its member: exported events cannot be used to test guesses without the master key. */
@Injectable()
export class PasswordHasher {
  private readonly key: Uint8Array;
  private readonly queue = new HashQueue();

  constructor(
    masterKey: MasterKey,
    private readonly randomness: Randomness,
  ) {
    this.key = masterKey.derive(PURPOSE);
  }

  /** @throws UnavailableError if too many hashes wait */
  async hash(password: string, memberId: string, requester: HashRequester): Promise<SealedSecret> {
    const salt = this.randomness.bytes(SALT_BYTES);
    const { logN, r, p } = COST;
    const hash = await this.queue.run(requester, () => this.compute(password, salt, optionsOf(logN, r, p)));
    const parts = [logN, r, p, base64(salt), base64(hash)];
    const nonce = this.randomness.bytes(NONCE_BYTES);
    return sealSecret(this.key, `scrypt$${parts.join('$')}`, memberId, nonce);
  }

  /** Takes as long without a hash, so that the time reveals no names. @throws UnavailableError */
  async matches(
    password: string,
    memberId: string,
    sealed: SealedSecret | undefined,
    requester: HashRequester,
  ): Promise<boolean> {
    const stored = sealed && this.opened(sealed, memberId);
    const options = stored?.options ?? optionsOf(COST.logN, COST.r, COST.p);
    const salt = stored?.salt ?? this.randomness.bytes(SALT_BYTES);
    const hash = await this.queue.run(requester, () => this.compute(password, salt, options));
    return stored !== undefined && timingSafeEqual(hash, stored.hash);
  }

  /** Undefined if the master key was lost, the event is damaged, or the hash has another form. */
  private opened(sealed: SealedSecret, memberId: string) {
    let text: string;
    try {
      text = openSecret(this.key, sealed, memberId);
    } catch {
      return undefined;
    }
    const [, logN, r, p, salt = '', hash = ''] = FORM.exec(text) ?? [];
    if (hash === '') return undefined;
    return {
      salt: Buffer.from(salt, 'base64'),
      hash: Buffer.from(hash, 'base64'),
      options: optionsOf(Number(logN), Number(r), Number(p)),
    };
  }

  private compute(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
    return new Promise((resolve, reject) =>
      scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash))),
    );
  }
}

const optionsOf = (logN: number, r: number, p: number): ScryptOptions => ({
  N: 2 ** logN,
  r,
  p,
  maxmem: MAX_MEMORY,
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export interface HashRequester {
  /** Sign-in name, or id of the member. */
  readonly name: string;
  /** The narrower and, for IPv6, the wider network of the source address. */
  readonly networks: readonly string[];
  readonly attempts: number;
  readonly isKnown: boolean;
}

interface Waiting {
  readonly requester: HashRequester;
  readonly start: () => void;
  readonly refuse: () => void;
}

const MAX_RUNNING = 2;
/** Limit for known browsers, and for others. */
const MAX_WAITING = 8;
const MAX_OF_NAME = 2;
const MAX_OF_NETWORK = [2, 4] as const;

/**
 * Each hash takes 32 MiB and a thread. Networks with few attempts first
 * (docs/decisions/075-fair-sign-ins.md).
 */
export class HashQueue {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  /** @throws UnavailableError if too many wait */
  async run<T>(requester: HashRequester, hash: () => Promise<T>): Promise<T> {
    if (this.running < MAX_RUNNING) this.running++;
    else await this.turn(requester);
    try {
      return await hash();
    } finally {
      const next = this.waiting.shift();
      if (next) next.start();
      else this.running--;
    }
  }

  private turn(requester: HashRequester): Promise<void> {
    const { name, networks, isKnown } = requester;
    const line = this.waiting.map((other) => other.requester).filter((other) => other.isKnown === isKnown);
    const isFull = line.length >= MAX_WAITING;
    const isTaken =
      line.filter((other) => other.name === name).length >= MAX_OF_NAME ||
      (!isKnown && networks.some((network, n) => countOf(line, network) >= MAX_OF_NETWORK[n]!));
    if (isTaken || (isFull && isKnown)) return Promise.reject(tooMany());
    return new Promise((start, reject) => {
      this.waiting.push({ requester: requester, start, refuse: () => reject(tooMany()) });
      this.waiting.sort((a, b) => rankOf(a) - rankOf(b));
      if (isFull) this.waiting.pop()!.refuse();
    });
  }
}

const rankOf = ({ requester: { isKnown, attempts } }: Waiting) => (isKnown ? 0 : attempts);

const countOf = (line: readonly HashRequester[], network: string) =>
  line.filter(({ networks }) => networks.includes(network)).length;

const tooMany = () => new UnavailableError('too many sign-ins at once', 'not_written');
