import type { Statement } from 'better-sqlite3';
import type { StoreDamagedError } from '../../ports/event-store.port.js';
import type { Connection } from './connection.js';
import { damageOf, isDamage } from './sqlite-errors.js';

/**
 * Reports damage found by any statement of the connection and throws it as StoreDamagedError. Covers `prepare` and
 * statements' `get` and `all`, the only calls of readers.
 */
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
