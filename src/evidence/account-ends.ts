import { LRUCache } from 'lru-cache';
import type { StoredText, StoredTexts } from '../event-sourcing/index.js';
import { accountInName, accountOf, type Link } from './entry.js';
import type { StoredLog } from './stored-log.js';

const CACHED_STREAMS = 20_000;
/** More than the leaves between two writes, of which the hash store knows nothing. */
const CACHED_ACCOUNTS = 8_192;

/** Finds the account of a stream by its first event. */
export class StreamAccounts {
  private readonly known = new LRUCache<string, string>({ max: CACHED_STREAMS });

  constructor(private readonly texts: StoredTexts) {}

  async of({ stream, revision, data }: StoredText): Promise<string> {
    const known = accountInName(stream) ?? this.known.get(stream);
    if (known !== undefined) return known;
    const first = revision === 0 ? data : (await this.texts.stream(stream, 0, 1))[0]?.data;
    const account = accountOf(stream, first ?? '{}');
    this.known.set(stream, account);
    return account;
  }
}

/** Where the chain of each account ends, before a leaf. */
export class AccountEnds {
  private readonly known = new LRUCache<string, Link>({ max: CACHED_ACCOUNTS });

  constructor(private readonly log: StoredLog) {}

  /** What the next entry of the account names. @param size leaves before it, all of them stored if not known here */
  async next(account: string, size: number): Promise<Link> {
    const known = this.known.get(account);
    if (known) return known;
    const seq = await this.log.countOf(account, size);
    const prev = seq > 0 ? await this.log.leafHash(await this.log.leafOf(account, seq - 1)) : undefined;
    return { account, seq, prev };
  }

  /** @param leafHash of the entry that was next */
  add({ account, seq }: Link, leafHash: string): void {
    this.known.set(account, { account, seq: seq + 1, prev: leafHash });
  }

  /** The next answers come from what is stored. */
  clear(): void {
    this.known.clear();
  }
}
