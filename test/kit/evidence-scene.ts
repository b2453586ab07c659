import Database from 'better-sqlite3';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { SqliteHashStore } from '../../src/event-sourcing/embedded/sqlite-derived-stores.js';
import { SqliteStoredTexts } from '../../src/event-sourcing/embedded/sqlite-event-store.js';
import { EvidenceLog, type EvidenceOptions } from '../../src/evidence/evidence-log.js';
import type { Halt } from '../../src/evidence/progress.js';
import { NoteKey } from '../../src/evidence/signed-note.js';
import type { LogSources } from '../../src/evidence/log-builder.js';
import type { EventMetadata } from '../../src/kernel/recorded-event.js';
import { vectors } from './evidence-vectors.js';
import { ManualClock } from './manual-clock.js';
import { metadata } from './recorded.js';
import { TestEventStore } from './stores.js';

export const EVIDENCE_KEY = new NoteKey(Buffer.from(vectors.seed, 'base64'));

/** An event to append, by its stream. */
export interface SceneEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
  readonly id?: string;
  readonly metadata?: EventMetadata;
}

export const job = (n: number, account = 'a'): SceneEvent => ({
  ...{ stream: `job-${n}`, type: 'JobCreated', data: { accountId: account, jobId: String(n) } },
});
export const queued = (n: number): SceneEvent => ({ stream: `job-${n}`, type: 'JobQueued', data: {} });

/** Events in memory with an evidence log over them. */
export class EvidenceScene {
  readonly clock = new ManualClock();
  store = new TestEventStore();
  readonly hashes = new SqliteHashStore(new Database(':memory:'));
  readonly sources: LogSources;
  readonly errors: unknown[] = [];
  readonly halts: Halt[] = [];
  private readonly revisions = new Map<string, number>();
  private count = 0;

  constructor() {
    const texts = () => new SqliteStoredTexts(this.store.db);
    const { hashes } = this;
    this.sources = {
      hashes,
      get texts() {
        return texts();
      },
    };
  }

  log(change: Partial<EvidenceOptions> = {}): EvidenceLog {
    return new EvidenceLog({
      ...{ sources: this.sources, clock: this.clock, randomness: new SystemRandomness() },
      events: { append: (append) => this.store.append(append) },
      ...{ key: EVIDENCE_KEY, host: 'rps.example', interval: 300_000 },
      onHalt: (halt) => void this.halts.push(halt),
      onError: (error) => void this.errors.push(error),
      ...change,
    });
  }

  async append(...events: readonly SceneEvent[]): Promise<void> {
    for (const { stream, type, data, id, metadata: of = metadata } of events) {
      const last = this.revisions.get(stream);
      const fallback = `00000000-0000-7000-8000-${String(++this.count).padStart(12, '0')}`;
      const event = { id: id ?? fallback, type, data, metadata: of };
      await this.store.append({ stream, expected: last ?? 'no_stream', events: [event] });
      this.revisions.set(stream, (last ?? -1) + 1);
    }
  }

  /** Changes stored events as a forger does who repairs the checksums, which early releases did not have. */
  tamper(sql: string): void {
    this.damage(`UPDATE events SET checksum = NULL; ${sql}`);
  }

  /** Changes the database of the stopped service. */
  damage(change: string | ((db: Database.Database) => void)): void {
    const db = new Database(this.store.db.serialize());
    if (typeof change === 'string') db.exec(change);
    else change(db);
    this.store = new TestEventStore(db);
  }

  /** Removes one blob of the hash store. */
  lose(key: string): void {
    this.hashDb.prepare('DELETE FROM blobs WHERE key = ?').run(key);
  }

  /** Changes the last byte that is stored under a key of the hash store. */
  spoil(key: string): void {
    const bytes = this.hashDb.prepare('SELECT bytes FROM blobs WHERE key = ?').pluck().get(key) as Buffer;
    bytes[bytes.length - 1]! ^= 1;
    this.hashDb.prepare('UPDATE blobs SET bytes = ? WHERE key = ?').run(bytes, key);
  }

  private get hashDb(): Database.Database {
    return (this.hashes as unknown as { db: Database.Database }).db;
  }

  /** Everything in the hash store but the progress. */
  async blobs(): Promise<ReadonlyMap<string, string>> {
    const rows = this.hashDb.prepare("SELECT key, hex(bytes) FROM blobs WHERE key <> 'progress'").raw().all();
    return new Map(rows as [string, string][]);
  }
}
