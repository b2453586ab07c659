import { StoreDamagedError } from '../../ports/event-store.port.js';

/** SQLite's own name of what went wrong, e.g. `SQLITE_BUSY`; undefined for errors of another kind. */
export function sqliteCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

export function messageOf(error: unknown): string {
  return String((error as Partial<Error> | undefined)?.message ?? error);
}

const DAMAGE = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR'];

/** Whether the file is no longer a sound database, or the disk cannot read or write it. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && DAMAGE.some((damage) => code.startsWith(damage));
}

/** The error that ends the process. */
export function damageOf(error: unknown): StoreDamagedError {
  return new StoreDamagedError(`the database is damaged: ${messageOf(error)} (${sqliteCode(error)})`, {
    cause: error,
  });
}

/** An error of SQLite loses its words on the way to another thread; this copy keeps message and code. */
export function portable(error: unknown, message = messageOf(error)): Error {
  return Object.assign(new Error(message), { code: sqliteCode(error) });
}
