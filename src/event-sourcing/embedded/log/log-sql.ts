import type { Connection } from '../connection.js';
import { HEX_FOLLOWS, TEXT_FOLLOWS } from './compact-text.js';
import { tablesOf } from './log-schema.js';

/**
 * Columns of events as texts: of a blob its digits, with a mark before them, because an object for each blob takes as
 * long as the rest of its row. `fromMarked` takes the mark away.
 */
export const TEXTS = `type, ${marked('id')}, data, ${marked('metadata')}`;
const UNPACKED = 'NULL AS pack';

/** The statements of a reader. Without packs or old rows, what asks for them finds nothing. */
export function sqlFor(db: Connection) {
  const { isCompact, old } = tablesOf(db);
  const checksum = old?.hasChecksums ? 'checksum' : 'NULL AS checksum';
  const oldColumns = `position, stream, revision, ${TEXTS}, ${checksum}, ${UNPACKED}`;
  const number = '(SELECT id FROM streams WHERE name = $name)';
  const parts = {
    stream: [
      isCompact &&
        `SELECT position, $stream AS stream, revision, ${TEXTS}, checksum, ${UNPACKED}
         FROM events WHERE stream = ${number} AND revision >= $from`,
      old && `SELECT ${oldColumns} FROM ${old.table} WHERE stream = $stream AND revision >= $from`,
    ],
    rows: [
      isCompact &&
        `SELECT position, stream, revision, ${TEXTS}, checksum, ${UNPACKED} FROM events ${IN_ORDER}`,
      old && `SELECT ${oldColumns} FROM ${old.table} ${IN_ORDER}`,
    ].filter((part) => part !== false && part !== undefined),
    newest: [isCompact && `SELECT ${NEWEST} FROM events`, old && `SELECT ${NEWEST} FROM ${old.table}`],
  };
  const tables = [isCompact && 'events', isCompact && 'packed', old?.table];
  const ofEach = (what: string) => union(tables.map((table) => table && `SELECT ${what} AS n FROM ${table}`));
  return {
    one: {
      // Not around a subquery, which SQLite would sort as a whole.
      stream: `${union(parts.stream)} ORDER BY revision LIMIT $max`,
      head: `SELECT max(n) FROM (${ofEach('max(position)')})`,
      count: `SELECT sum(n) FROM (${ofEach('count(*)')})`,
      newest: `SELECT data FROM (${union(parts.newest)})
        WHERE type IN (SELECT value FROM json_each($types)) ORDER BY position DESC LIMIT 1`,
      ...(isCompact ? PACKS : NO_PACKS),
    },
    rows: parts.rows,
  };
}

const IN_ORDER = 'WHERE position > $after AND position <= $upTo ORDER BY position LIMIT $max';
const NEWEST = 'position, type, data';

const PACKS = {
  packed: `SELECT position, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pack
    FROM packed WHERE position > $after ORDER BY position LIMIT $max`,
  names: 'SELECT id, name FROM streams WHERE id IN (SELECT value FROM json_each($numbers))',
  packs: `SELECT id, first, checksum, bytes FROM packs
    WHERE stream = (SELECT id FROM streams WHERE name = $name) AND last >= $from ORDER BY id`,
  pack: `SELECT packs.id, streams.name AS stream, first, checksum, bytes
    FROM packs LEFT JOIN streams ON streams.id = packs.stream WHERE packs.id = ?`,
};

/** The same parameters, and no rows. */
const NO_PACKS = {
  packed: 'SELECT 1 WHERE $after IS NULL AND $max IS NULL',
  names: 'SELECT 1 WHERE $numbers IS NULL',
  packs: 'SELECT 1 WHERE $name IS NULL AND $from IS NULL',
  pack: 'SELECT 1 WHERE ? IS NULL',
};

function marked(column: string): string {
  const hex = `'${HEX_FOLLOWS}' || hex(${column})`;
  return `iif(typeof(${column}) = 'blob', ${hex}, '${TEXT_FOLLOWS}' || ${column}) AS ${column}`;
}

function union(parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined).join(' UNION ALL ');
}
