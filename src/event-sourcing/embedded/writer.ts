import type { Statement } from 'better-sqlite3';
import { streamOf } from '../../kernel/ids.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { decodeEvent, type StoredRow } from '../write/event-codec.js';
import type { IndexBlock } from '../ports/index-blocks.port.js';
import type { PackingRule } from '../ports/stores.js';
import type { Connection } from './connection.js';
import { EventLog, StreamConflict } from './log/event-log.js';
import { Packing } from './log/packing.js';
import { LiveViews } from './live-views.js';
import { TwoGenerationCache } from '../../kernel/two-generation-cache.js';
import { messageOf, sqliteCode } from './sqlite-errors.js';
import type { Answer, WriterRequest } from './writer-messages.js';

type SetVolatile = Extract<WriterRequest, { kind: 'set_volatile' }>;
type RecordHeartbeats = Extract<WriterRequest, { kind: 'record_heartbeats' }>;

const DONE: Answer = { kind: 'done' };
const UNCHANGED: Answer = { kind: 'unchanged' };
const FULL: Answer = { kind: 'unavailable', message: 'the disk is full', outcome: 'not_written' };
/** Far above the number of concurrent requests. */
const REFUSED_DOCUMENTS = 10_000;

/** One transaction per batch. Synchronous. */
export class Writer {
  private readonly log: EventLog;
  private readonly views: LiveViews;
  /** Jobs whose document did not fit on the disk: their events must not be stored without it. */
  private readonly withoutDocument = new TwoGenerationCache<string, boolean>(REFUSED_DOCUMENTS);
  private readonly statements: Record<
    | 'begin'
    | 'commit'
    | 'putContent'
    | 'deleteContent'
    | 'recordHeartbeat'
    | 'forget'
    | 'putCheckpoint'
    | 'replaceCheckpoint'
    | 'putBlock'
    | 'clearBlocks',
    Statement
  >;

  constructor(
    private readonly db: Connection,
    projections: readonly AnyProjection[],
  ) {
    this.views = new LiveViews(this.db, projections);
    this.log = new EventLog(this.db);
    this.statements = {
      begin: this.db.prepare('BEGIN IMMEDIATE'),
      commit: this.db.prepare('COMMIT'),
      putContent: this.db.prepare('INSERT OR REPLACE INTO contents (job_id, bytes) VALUES (?, ?)'),
      deleteContent: this.db.prepare('DELETE FROM contents WHERE job_id = ?'),
      recordHeartbeat: this.db.prepare('INSERT OR REPLACE INTO beats (key, at) VALUES (?, ?)'),
      forget: this.db.prepare('DELETE FROM beats WHERE key = ?'),
      putCheckpoint: this.db.prepare(
        `INSERT INTO checkpoints (name, position) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET position = excluded.position WHERE excluded.position > position`,
      ),
      replaceCheckpoint: this.db.prepare(
        `INSERT INTO checkpoints (name, position) SELECT $name, $text
         WHERE (SELECT position FROM checkpoints WHERE name = $name) IS $before
         ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
      ),
      putBlock: this.db.prepare(
        `INSERT INTO index_blocks (owner, first, count, bytes) VALUES (?, ?, ?, ?)
         ON CONFLICT (owner, first) DO UPDATE SET count = excluded.count, bytes = excluded.bytes
         WHERE excluded.count > count`,
      ),
      clearBlocks: this.db.prepare('DELETE FROM index_blocks WHERE owner < ?'),
    };
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
  pack(rule: PackingRule): Generator<void, number> {
    return new Packing(this.db).run(rule);
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
    this.statements.begin.run();
    try {
      const fresh: StoredRow[] = [];
      const answers = requests.map((request) => this.answer(request, fresh));
      this.views.tables.apply(this.projected(fresh));
      this.statements.commit.run();
      return answers;
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      this.log.invalidate();
      this.views.tables.invalidate();
      throw error;
    }
  }

  private *projected(rows: readonly StoredRow[]): Generator<RecordedEvent> {
    for (const row of rows) if (this.views.tables.handles(row.type)) yield decodeEvent(row);
  }

  private answer(request: WriterRequest, fresh: StoredRow[]): Answer {
    switch (request.kind) {
      case 'append':
        return this.append(request.appends, fresh);
      case 'put_content':
        this.statements.putContent.run(request.jobId, request.bytes);
        this.withoutDocument.set(streamOf('job', request.jobId), false);
        return DONE;
      case 'delete_content':
        this.statements.deleteContent.run(request.jobId);
        return DONE;
      case 'set_volatile':
        return this.setVolatile(request);
      case 'record_heartbeats':
        return this.recordHeartbeats(request);
      case 'put_checkpoint':
        this.statements.putCheckpoint.run(request.name, request.position);
        return DONE;
      case 'replace_checkpoint': {
        const { name, before, text } = request;
        return this.statements.replaceCheckpoint.run({ name, before, text }).changes > 0 ? DONE : UNCHANGED;
      }
      case 'put_index_blocks':
        return this.putBlocks(request.blocks);
      case 'clear_index_blocks':
        this.statements.clearBlocks.run(request.before);
        return DONE;
    }
  }

  private append(appends: Extract<WriterRequest, { kind: 'append' }>['appends'], fresh: StoredRow[]): Answer {
    if (appends.some(({ stream }) => this.withoutDocument.get(stream))) return FULL;
    try {
      return { kind: 'appended', appended: this.log.append(appends, fresh) };
    } catch (error) {
      if (!(error instanceof StreamConflict)) throw error;
      const { stream, expected, actual } = error;
      return { kind: 'conflict', stream, expected, actual };
    }
  }

  private setVolatile({ view: name, change }: SetVolatile): Answer {
    this.views.tables.setVolatile(name, change);
    return DONE;
  }

  private putBlocks(blocks: readonly IndexBlock[]): Answer {
    for (const { owner, first, count, bytes } of blocks)
      this.statements.putBlock.run(owner, Number(first), count, bytes);
    return DONE;
  }

  private recordHeartbeats({ heartbeats, forgotten }: RecordHeartbeats): Answer {
    for (const [key, at] of heartbeats) this.statements.recordHeartbeat.run(key, at);
    for (const key of forgotten) this.statements.forget.run(key);
    return DONE;
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
