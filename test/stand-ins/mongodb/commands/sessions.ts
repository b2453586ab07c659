import { numberOf, type Document } from '../bson/compose.js';
import { ordered } from '../bson/order.js';
import { ServerError } from '../server-error.js';
import type { Command } from '../wire/messages.js';

interface Session {
  number: number;
  /** The reply to the last retryable write. */
  reply?: Document;
}

/** Retryable writes. Transactions are not served. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  /**
   * A write that was carried out and comes again under its number is answered as the first time, not done twice.
   * https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
   */
  once({ args }: Command, carryOut: () => Document): Document {
    if (!('lsid' in args) || !('txnNumber' in args)) return carryOut();
    const session = this.session(ordered(args['lsid']));
    const number = numberOf(args['txnNumber']);
    if (number < session.number) throw tooOld(number, session.number);
    if (number === session.number && session.reply) return session.reply;
    session.number = number;
    session.reply = undefined;
    return (session.reply = carryOut());
  }

  end(ids: readonly Document[]): Document {
    for (const id of ids) this.sessions.delete(ordered(id));
    return { ok: 1 };
  }

  private session(key: string): Session {
    let session = this.sessions.get(key);
    if (!session) this.sessions.set(key, (session = { number: -1 }));
    return session;
  }
}

const tooOld = (number: number, last: number) =>
  new ServerError(
    'TransactionTooOld',
    `Retryable write with txnNumber ${number} is prohibited because a newer retryable write with txnNumber ${last} has already started`,
  );
