import type { Statement } from 'better-sqlite3';
import { ContentStore } from '../../ports/content-store.port.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** Up to this size a document travels with the next commit instead of costing file syncs of its own. */
const LARGEST_ROW_BYTES = 32 * 1024;

/** Small documents as rows, large ones as files. */
export class EmbeddedContentStore extends ContentStore {
  private readonly select: Statement;
  private readonly selectOne: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
    private readonly files: ContentStore,
  ) {
    super();
    this.select = reader.prepare('SELECT bytes FROM contents WHERE job_id = ?').pluck();
    this.selectOne = reader.prepare('SELECT 1 FROM contents WHERE job_id = ?').pluck();
  }

  async put(jobId: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > LARGEST_ROW_BYTES) {
      await this.files.put(jobId, bytes);
      if (this.hasRow(jobId)) await this.deleteRow(jobId);
      return;
    }
    // A copy: the bytes may be a window into a far larger buffer, which would travel as a whole.
    const request = { kind: 'put_content', jobId, bytes: new Uint8Array(bytes) } as const;
    await this.writer.submit(request, () => undefined);
  }

  async get(jobId: string): Promise<Uint8Array | undefined> {
    return (this.select.get(jobId) as Uint8Array | undefined) ?? this.files.get(jobId);
  }

  async has(jobId: string): Promise<boolean> {
    return this.hasRow(jobId) || this.files.has(jobId);
  }

  async delete(jobId: string): Promise<void> {
    if (this.hasRow(jobId)) await this.deleteRow(jobId);
    await this.files.delete(jobId);
  }

  private hasRow(jobId: string): boolean {
    return this.selectOne.get(jobId) !== undefined;
  }

  private async deleteRow(jobId: string): Promise<void> {
    await this.writer.submit({ kind: 'delete_content', jobId }, () => undefined);
  }
}
