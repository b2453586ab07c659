import type { ConcurrencyError } from '../../kernel/errors.js';
import type { PackingRule } from '../ports/stores.js';
import type { VolatileChange } from '../ports/view-store.port.js';

/** Only texts, which are cheap to clone to another thread. */
export interface WireAppend {
  readonly stream: string;
  /** -1 for no stream. */
  readonly expected: number;
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly data: readonly string[];
  readonly metadata: readonly string[];
  /** Computed by the sender, because the writer is the bottleneck. */
  readonly checksums: readonly number[];
}

export type WriterRequest =
  | { readonly kind: 'append'; readonly appends: readonly WireAppend[] }
  | { readonly kind: 'put_content'; readonly jobId: string; readonly bytes: Uint8Array }
  | { readonly kind: 'set_volatile'; readonly view: string; readonly change: VolatileChange }
  /** Runs a statement once with each list of values. */
  | { readonly kind: 'write'; readonly sql: string; readonly values: readonly (readonly unknown[])[] };

/** Runs in steps between the commits of requests. */
export type WriterTask =
  { readonly kind: 'rebuild'; readonly view: string } | { readonly kind: 'pack'; readonly rule: PackingRule };

export interface AppendedAt {
  /** The other events follow without a gap. */
  readonly first: number;
  readonly repeated: boolean;
}

export type Answer =
  | { readonly kind: 'done'; readonly changes: number }
  | { readonly kind: 'appended'; readonly appended: readonly AppendedAt[] }
  | ({ readonly kind: 'conflict' } & Pick<ConcurrencyError, 'stream' | 'expected' | 'actual'>)
  /** A projection or value failed; other requests are unaffected. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string; readonly outcome: 'not_written' | 'unknown' };

export type ToWriter =
  | { readonly kind: 'requests'; readonly requests: readonly WriterRequest[] }
  | { readonly kind: 'task'; readonly task: WriterTask }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  /** Answers of one commit, in the order of the requests. */
  | {
      readonly kind: 'answers';
      readonly answers: readonly Answer[];
      readonly appends: number;
      readonly seconds: number;
      readonly views: readonly string[];
    }
  /** The first of the open tasks has ended. */
  | {
      readonly kind: 'performed';
      readonly result?: number;
      readonly error?: string;
      readonly views: readonly string[];
    }
  /** The process must restart. */
  | { readonly kind: 'fatal'; readonly message: string }
  | { readonly kind: 'closed' };
