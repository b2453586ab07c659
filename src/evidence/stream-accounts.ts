import { LRUCache } from 'lru-cache';
import { growingTo } from '../kernel/cache-size.js';
import type { StoredText, StoredTexts } from '../event-sourcing/index.js';
import { CorruptEventError } from '../kernel/errors.js';
import { accountInName, accountOf } from './entry.js';

const CACHED_STREAMS = 10_000;

/** Finds the account of a stream by its first event. @throws CorruptEventError if that cannot be read */
export class StreamAccounts {
  private readonly cache = new LRUCache<string, string>(growingTo(CACHED_STREAMS));
  /** One text for each account: each is a slice of the data of an event, which it keeps in memory. */
  private readonly names = new Map<string, string>();

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
    if (text.revision === 0) return this.keep(text);
    return accountInName(text.stream) ?? this.cache.get(text.stream);
  }

  private keep(first: StoredText): string {
    const account = this.nameOf(accountOf(first));
    this.cache.set(first.stream, account);
    return account;
  }

  private nameOf(account: string): string {
    const known = this.names.get(account);
    if (known !== undefined) return known;
    if (this.names.size >= CACHED_STREAMS) this.names.clear();
    this.names.set(account, account);
    return account;
  }
}
