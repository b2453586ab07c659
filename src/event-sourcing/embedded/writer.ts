import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { Statement } from 'better-sqlite3';
import { ConcurrencyError, messageOf } from '../../kernel/errors.js';
import { streamOf } from '../../kernel/ids.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { decodeEvent } from '../write/event-codec.js';
import type { StoredText } from '../ports/stored-texts.port.js';
import type { PackingRule } from '../ports/stores.js';
import type { Connection } from './connection.js';
import { EventLog } from './log/event-log.js';
import { Packing } from './log/packing.js';
import { LiveViews } from './view-tables.js';
import { sqliteCode } from './sqlite-errors.js';
import type { Answer, WriterRequest } from './writer-messages.js';

type Request<Kind> = Extract<WriterRequest, { readonly kind: Kind }>;

const DONE: Answer = { kind: 'done', changes: 1 };
const FULL: Answer = { kind: 'unavailable', message: 'the disk is full', outcome: 'not_written' };
/** Far above the number of concurrent requests. */
const REFUSED_DOCUMENTS = 10_000;

/** One transaction per batch. Synchronous. */
export class Writer {
  private readonly log: EventLog;
  private readonly views: LiveViews;
  /** Jobs whose document did not fit on the disk: their events must not be stored without it. */
  private readonly withoutDocument = new LRUCache<string, boolean>(growingTo(REFUSED_DOCUMENTS));
  private readonly statements = new Map<string, Statement>();

  constructor(
    private readonly db: Connection,
    projections: readonly AnyProjection[],
  ) {
    this.views = new LiveViews(this.db, projections);
    this.log = new EventLog(this.db);
  }

  /**
   * A failed request does not affect others, a full disk does. @throws SqliteError if the outcome is unknown
   */
  run(requests: readonly WriterRequest[]): Answer[] {
    try {
      return this.transact(requests);
    } catch (error) {
      if (sqliteCode(error) === 'SQLITE_FULL') return this.refuse(requests);
      if (isFatal(error)) throw error;
      if (requests.length > 1) return requests.flatMap((request) => this.run([request]));
      return [{ kind: 'failed', message: messageOf(error) }];
    }
  }

  takeChangedViews(): readonly string[] {
    return this.views.tables.takeChanged();
  }

  rebuild(views: readonly string[]): Generator<void> {
    return this.views.rebuild(views);
  }

  /** Appends run between the steps. */
  *pack(rule: PackingRule): Generator<void, number> {
    return yield* new Packing(this.db).run(rule);
  }

  close(): void {
    this.db.pragma('wal_checkpoint(TRUNCATE)');
    this.db.close();
  }

  private refuse(requests: readonly WriterRequest[]): Answer[] {
    for (const request of requests) {
      if (request.kind === 'put_content') this.withoutDocument.set(streamOf('job', request.jobId), true);
    }
    return requests.map(() => FULL);
  }

  private transact(requests: readonly WriterRequest[]): Answer[] {
    this.statement('BEGIN IMMEDIATE').run();
    try {
      const fresh: StoredText[] = [];
      const answers = requests.map((request) => this.answer(request, fresh));
      this.views.tables.apply(this.projected(fresh));
      this.statement('COMMIT').run();
      return answers;
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      this.log.invalidate();
      this.views.tables.invalidate();
      throw error;
    }
  }

  private *projected(rows: readonly StoredText[]): Generator<RecordedEvent> {
    for (const row of rows) if (this.views.tables.handles(row.type)) yield decodeEvent(row);
  }

  private answer(request: WriterRequest, fresh: StoredText[]): Answer {
    switch (request.kind) {
      case 'append':
        return this.append(request.appends, fresh);
      case 'put_content':
        return this.putContent(request);
      case 'set_volatile':
        this.views.tables.setVolatile(request.view, request.change);
        return DONE;
      case 'write':
        return this.write(request);
    }
  }

  private append(appends: Request<'append'>['appends'], fresh: StoredText[]): Answer {
    if (appends.some(({ stream }) => this.withoutDocument.get(stream))) return FULL;
    try {
      return { kind: 'appended', appended: this.log.append(appends, fresh) };
    } catch (error) {
      if (!(error instanceof ConcurrencyError)) throw error;
      const { stream, expected, actual } = error;
      return { kind: 'conflict', stream, expected, actual };
    }
  }

  private putContent({ jobId, bytes }: Request<'put_content'>): Answer {
    this.statement('INSERT OR REPLACE INTO contents (job_id, bytes) VALUES (?, ?)').run(jobId, bytes);
    this.withoutDocument.set(streamOf('job', jobId), false);
    return DONE;
  }

  private write({ sql, values }: Request<'write'>): Answer {
    const statement = this.statement(sql);
    return { kind: 'done', changes: values.reduce((sum, row) => sum + statement.run(row).changes, 0) };
  }

  private statement(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return statement;
  }
}

/** An unsuitable value is a fault of the request; any other error is a fault of the disk. */
function isFatal(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code === undefined) return false;
  return !['SQLITE_CONSTRAINT', 'SQLITE_TOOBIG', 'SQLITE_MISMATCH'].some((own) => code.startsWith(own));
}

/** The module exports them as `projections`, or by default. */
export async function loadProjections(url: string): Promise<readonly AnyProjection[]> {
  const module = (await import(url)) as Record<
    'projections' | 'default',
    readonly AnyProjection[] | undefined
  >;
  const projections = module.projections ?? module.default;
  if (!Array.isArray(projections)) throw new TypeError(`${url} exports no list of projections`);
  return projections;
}
