import type { Statement } from 'better-sqlite3';
import type { Position } from '../../kernel/recorded-event.js';
import { IndexBlocks, type IndexBlock } from '../ports/index-blocks.port.js';
import { positionFromNumber } from '../write/event-codec.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';

/** Written between the commits of others, a part at a time. */
export class SqliteIndexBlocks extends IndexBlocks {
  private readonly selectFrom: Statement;
  private readonly selectNewest: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
  ) {
    super();
    this.selectFrom = reader.prepare(FROM);
    this.selectNewest = reader.prepare(NEWEST);
  }

  async from(owner: string, position: Position, max: number): Promise<readonly IndexBlock[]> {
    return (this.selectFrom.all({ owner, position: Number(position), max }) as Row[]).map(blockOf);
  }

  async newest(owners: readonly string[]): Promise<readonly IndexBlock[]> {
    const rows = owners.map((owner) => this.selectNewest.get({ owner }) as Row | undefined);
    return rows.filter((row) => row !== undefined).map(blockOf);
  }

  async put(blocks: readonly IndexBlock[]): Promise<void> {
    const rows = blocks.map(({ owner, first, count, bytes }) => [owner, Number(first), count, bytes]);
    await this.writer.write(PUT, rows);
  }

  async clear(before: string): Promise<void> {
    await this.writer.write('DELETE FROM index_blocks WHERE owner < ?', [[before]]);
  }
}

interface Row extends Omit<IndexBlock, 'first'> {
  readonly first: number;
}

const blockOf = ({ first, ...row }: Row): IndexBlock => ({ ...row, first: positionFromNumber(first) });

const FROM = `
  SELECT owner, first, count, bytes FROM index_blocks
  WHERE owner = $owner AND first >= coalesce(
    (SELECT max(first) FROM index_blocks WHERE owner = $owner AND first <= $position), 0)
  ORDER BY first LIMIT $max`;
const PUT = `
  INSERT INTO index_blocks (owner, first, count, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT (owner, first) DO UPDATE SET count = excluded.count, bytes = excluded.bytes
  WHERE excluded.count > count`;
const NEWEST = `
  SELECT owner, first, count, bytes FROM index_blocks WHERE owner = $owner ORDER BY first DESC LIMIT 1`;
