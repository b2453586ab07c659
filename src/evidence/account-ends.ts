import { LRUCache } from 'lru-cache';
import type { StoredText, StoredTexts } from '../event-sourcing/index.js';
import { CorruptEventError } from '../kernel/errors.js';
import { accountInName, accountOf, type Link } from './entry.js';
import type { StoredLog } from './stored-log.js';

const CACHED_STREAMS = 10_000;
/** More than the leaves between two writes, of which the hash store knows nothing. */
const CACHED_ACCOUNTS = 4_096;

/** Finds the account of a stream by its first event. @throws CorruptEventError if that cannot be read */
export class StreamAccounts {
  private readonly cache = new LRUCache<string, string>({ max: CACHED_STREAMS });

  constructor(private readonly texts: StoredTexts) {}

  async of(text: StoredText): Promise<string> {
    const known = this.known(text);
    if (known !== undefined) return known;
    const [first] = await this.texts.stream(text.stream, 0, 1);
    if (!first) throw new CorruptEventError(text.stream, 0, text.position);
    return this.keep(first);
  }

  /** The same, if it needs no other event. */
  known(text: StoredText): string | undefined {
    const known = accountInName(text.stream) ?? this.cache.get(text.stream);
    return known === undefined && text.revision === 0 ? this.keep(text) : known;
  }

  private keep(first: StoredText): string {
    const account = accountOf(first);
    this.cache.set(first.stream, account);
    return account;
  }
}

/** Where the chain of each account ends, before a leaf. */
export class AccountEnds {
  private readonly cache = new LRUCache<string, Link>({ max: CACHED_ACCOUNTS });

  constructor(private readonly log: StoredLog) {}

  /** What the next entry of the account names. @param size leaves before it, all of them stored if not known here */
  async next(account: string, size: number): Promise<Link> {
    const known = this.known(account);
    if (known) return known;
    const seq = await this.log.countOf(account, size);
    const prev = seq > 0 ? await this.log.leafHash(await this.log.leafOf(account, seq - 1)) : undefined;
    return { account, seq, prev };
  }

  known(account: string): Link | undefined {
    return this.cache.get(account);
  }

  /** @param leafHash of the entry that was next */
  add({ account, seq }: Link, leafHash: string): void {
    this.cache.set(account, { account, seq: seq + 1, prev: leafHash });
  }

  /** The next answers come from what is stored. */
  clear(): void {
    this.cache.clear();
  }
}
