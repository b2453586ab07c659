import type { Statement } from 'better-sqlite3';
import type { Connection } from './connection.js';
import { messageOf, StoreDamagedError } from '../../kernel/errors.js';

/** E.g. `SQLITE_BUSY`; undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

const DAMAGE = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR'];

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && DAMAGE.some((damage) => code.startsWith(damage));
}

export function damageOf(error: unknown): StoreDamagedError {
  return new StoreDamagedError(`the database is damaged: ${messageOf(error)} (${sqliteCode(error)})`, {
    cause: error,
  });
}

/** Keeps message and code when sent to another thread. */
export function portable(error: unknown, message = messageOf(error)): Error {
  return Object.assign(new Error(message), { code: sqliteCode(error) });
}

/** Reports damage. Covers `prepare`, `get` and `all`, the only calls of readers. @throws StoreDamagedError */
export function guardReader(reader: Connection, onDamage: (error: StoreDamagedError) => void): Connection {
  const guarded = <A extends unknown[], T>(read: (...given: A) => T) => {
    return (...given: A): T => {
      try {
        return read(...given);
      } catch (error) {
        if (!isDamage(error)) throw error;
        const damage = damageOf(error);
        onDamage(damage);
        throw damage;
      }
    };
  };
  const plain = guarded(reader.prepare.bind(reader));
  const prepare = (text: string): Statement => {
    const statement = plain(text);
    const get = guarded(statement.get.bind(statement));
    const all = guarded(statement.all.bind(statement));
    return Object.assign(statement, { get, all });
  };
  return Object.assign(reader, { prepare });
}
