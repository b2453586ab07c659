import type { Statement } from 'better-sqlite3';
import type { Position } from '../../kernel/recorded-event.js';
import { CheckpointStore } from '../ports/event-store.port.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** Each write shares the current commit. */
export class SqliteCheckpointStore extends CheckpointStore {
  private readonly select: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
  ) {
    super();
    this.select = reader.prepare('SELECT position FROM checkpoints WHERE name = ?').pluck();
  }

  async get(name: string): Promise<Position | undefined> {
    return this.select.get(name) as Position | undefined;
  }

  put(name: string, position: Position): Promise<void> {
    return this.writer.submit({ kind: 'put_checkpoint', name, position }, () => undefined);
  }
}
