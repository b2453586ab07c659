import { numberOf, type Document } from '../bson/compose.js';
import { ordered } from '../bson/order.js';
import { ServerError } from '../server-error.js';
import type { Databases } from '../storage/databases.js';
import type { Writer } from '../storage/writer.js';
import type { Command } from '../wire/messages.js';

type Undo = Writer & { readonly undo: (() => void)[] };

interface Session {
  number: number;
  /** The reply to the last retryable write. */
  reply?: Document;
  transaction?: Undo;
  committed?: boolean;
}

const PLAIN: Writer = {};

export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly databases: Databases) {}

  /**
   * A write that was carried out and comes again under its number is answered as the first time, not done twice.
   * https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
   */
  once({ args }: Command, carryOut: () => Document): Document {
    if (!('lsid' in args) || !('txnNumber' in args) || 'autocommit' in args) return carryOut();
    const session = this.session(args);
    const number = numberOf(args['txnNumber']);
    if (number < session.number) throw tooOld(number, session.number);
    if (number === session.number && session.reply) return session.reply;
    session.number = number;
    session.reply = undefined;
    return (session.reply = carryOut());
  }

  /** https://github.com/mongodb/specifications/blob/master/source/transactions/transactions.md */
  writer({ args }: Command): Writer {
    if (args['autocommit'] !== false) return PLAIN;
    const session = this.session(args);
    if (args['startTransaction'] === true) {
      if (session.transaction) this.abort(session);
      session.number = numberOf(args['txnNumber']);
      session.committed = false;
      session.transaction = { undo: [] };
    }
    return this.transaction(session, args);
  }

  commit({ args }: Command): Document {
    const session = this.session(args);
    if (session.committed && session.number === numberOf(args['txnNumber'])) return { ok: 1 };
    this.release(this.transaction(session, args));
    session.transaction = undefined;
    session.committed = true;
    return { ok: 1 };
  }

  rollBack({ args }: Command): Document {
    const session = this.session(args);
    this.transaction(session, args);
    this.abort(session);
    return { ok: 1 };
  }

  /** An error inside a transaction ends it: transactions.md#any-command-error */
  failed({ args, name }: Command): void {
    if (args['autocommit'] !== false || name === 'commitTransaction') return;
    const session = this.session(args);
    if (session.transaction) this.abort(session);
  }

  end(ids: readonly Document[]): Document {
    for (const id of ids) {
      const session = this.sessions.get(ordered(id));
      if (session?.transaction) this.abort(session);
      this.sessions.delete(ordered(id));
    }
    return { ok: 1 };
  }

  /** Open transactions do not survive a restart; what retried writes were answered is on disk. */
  restart(): void {
    for (const session of this.sessions.values()) if (session.transaction) this.abort(session);
  }

  private abort(session: Session): void {
    const transaction = session.transaction!;
    session.transaction = undefined;
    for (const undo of transaction.undo.reverse()) undo();
    this.release(transaction);
  }

  private release(transaction: Undo): void {
    for (const collection of this.databases.all()) collection.release(transaction);
  }

  private transaction(session: Session, args: Document): Undo {
    const number = numberOf(args['txnNumber']);
    if (session.transaction && session.number === number) return session.transaction;
    const message = `Given transaction number ${number} does not match any in-progress transactions.`;
    throw new ServerError('NoSuchTransaction', message, {}, undefined, ['TransientTransactionError']);
  }

  private session(args: Document): Session {
    const key = ordered(args['lsid']);
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
