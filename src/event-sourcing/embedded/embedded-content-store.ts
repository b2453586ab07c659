import type { Statement } from 'better-sqlite3';
import { ContentStore, type ContentPart } from '../ports/content-store.port.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** A row shares the next commit, without syncs of a file. */
const LARGEST_ROW_BYTES = 32 * 1024;

export class EmbeddedContentStore extends ContentStore {
  override readonly sharesCommit = true;
  private readonly select: Statement;
  private readonly selectOne: Statement;
  private readonly selectIds: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
    private readonly files: ContentStore,
  ) {
    super();
    this.select = reader.prepare('SELECT bytes FROM contents WHERE job_id = ?').pluck();
    this.selectOne = reader.prepare('SELECT 1 FROM contents WHERE job_id = ?').pluck();
    this.selectIds = reader
      .prepare('SELECT job_id FROM contents WHERE job_id > ? ORDER BY job_id LIMIT ?')
      .pluck();
  }

  async put(jobId: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > LARGEST_ROW_BYTES) {
      await this.files.put(jobId, bytes);
      if (this.hasRow(jobId)) await this.deleteRow(jobId);
      return;
    }
    await this.putRow(jobId, bytes);
  }

  /** The writer keeps the order of requests, so `follow` commits together with the row or later. */
  override async putThen<T>(jobId: string, bytes: Uint8Array, follow: () => Promise<T>): Promise<T> {
    if (bytes.byteLength > LARGEST_ROW_BYTES) return super.putThen(jobId, bytes, follow);
    const [, result] = await Promise.all([this.putRow(jobId, bytes), follow()]);
    return result;
  }

  async get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined> {
    const row = this.select.get(jobId) as Uint8Array | undefined;
    return row ? row.subarray(part?.first, part?.end) : this.files.get(jobId, part);
  }

  async has(jobId: string): Promise<boolean> {
    return this.hasRow(jobId) || this.files.has(jobId);
  }

  async ids(after: string | undefined, limit: number): Promise<readonly string[]> {
    const rows = this.selectIds.all(after ?? '', limit) as string[];
    const files = await this.files.ids(after, limit);
    return [...new Set([...rows, ...files])].sort().slice(0, limit);
  }

  async delete(jobId: string): Promise<void> {
    if (this.hasRow(jobId)) await this.deleteRow(jobId);
    await this.files.delete(jobId);
  }

  private hasRow(jobId: string): boolean {
    return this.selectOne.get(jobId) !== undefined;
  }

  private putRow(jobId: string, bytes: Uint8Array): Promise<void> {
    // A window of a larger buffer would be cloned with all of it.
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
    return this.writer.submit({ kind: 'put_content', jobId, bytes: own }, () => undefined);
  }

  private async deleteRow(jobId: string): Promise<void> {
    await this.writer.write('DELETE FROM contents WHERE job_id = ?', [[jobId]]);
  }
}
