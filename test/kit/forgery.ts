import type Database from 'better-sqlite3';
import { checksumOf, storedChecksum } from '../../src/event-sourcing/embedded/log/log-schema.js';
import { packChecksum, packOf, rowsOf } from '../../src/event-sourcing/embedded/log/pack.js';
import { Packing } from '../../src/event-sourcing/embedded/log/packing.js';
import type { StoredText } from '../../src/event-sourcing/ports/stored-texts.port.js';

/** Stores all jobs in packs, however new they are. */
export function packJobs(db: Database.Database): void {
  const packing = new Packing(db).run({ before: '9999-01-01T00:00:00.000Z', categories: ['job'] });
  while (!packing.next().done);
}

/** Changes the first event of a packed stream, and makes the checksum fit again. */
export function forgePack(
  db: Database.Database,
  stream: string,
  change: (row: StoredText) => Partial<StoredText>,
): void {
  const found = db.prepare('SELECT packs.* FROM packs JOIN streams ON streams.id = stream WHERE name = ?');
  const { id, first, bytes } = found.get(stream) as { id: number; first: number; bytes: Uint8Array };
  const range = { stream, first, position: id };
  const [created, ...rest] = rowsOf(bytes, range);
  const forged = packOf([{ ...created!, ...change(created!) }, ...rest]);
  const update = db.prepare('UPDATE packs SET bytes = ?, checksum = ? WHERE id = ?');
  update.run(forged, packChecksum(forged, range), id);
}

/** Makes the checksums of all rows fit their columns. */
export function repairChecksums(db: Database.Database): void {
  const rows = db
    .prepare('SELECT events.*, name AS stream FROM events JOIN streams ON streams.id = events.stream')
    .all() as (Omit<StoredText, 'position'> & { position: number })[];
  const update = db.prepare('UPDATE events SET checksum = ? WHERE position = ?');
  for (const row of rows) update.run(storedChecksum(checksumOf(row), row.position), row.position);
}
