import { ConfigError } from '../config.js';
import { EX_CONFIG, EX_IOERR, EX_SOFTWARE, EX_TEMPFAIL, EX_UNAVAILABLE, type Refusal } from './exit-codes.js';
import { UsedFolderError } from './used-folder.js';
import { DataDirLockedError, NoArchiveError, StoreDamagedError, UnavailableError } from '../kernel/errors.js';

export function refusalOf(error: unknown, dataDir: string): Refusal {
  const known = [
    { of: ConfigError, code: EX_CONFIG },
    { of: UsedFolderError, code: EX_CONFIG },
    { of: DataDirLockedError, code: EX_TEMPFAIL },
    { of: NoArchiveError, code: EX_CONFIG },
    { of: StoreDamagedError, code: EX_SOFTWARE },
    { of: UnavailableError, code: EX_UNAVAILABLE },
  ].find(({ of }) => error instanceof of);
  const { message, code = '', syscall } = error as NodeJS.ErrnoException;
  if (known) return { code: known.code, sentence: message };
  const said = String(message ?? error).split('\n')[0]!;
  if (code.startsWith('SQLITE_')) return ofDatabase(code, said, dataDir);
  if (syscall === 'listen' || syscall === 'getaddrinfo') return ofAddress(code, said);
  if (syscall !== undefined) {
    return { code: EX_IOERR, sentence: `a file or folder cannot be used: ${said} (DATA_DIR is ${dataDir})` };
  }
  return { code: EX_SOFTWARE, sentence: `the service cannot start: ${said}` };
}

function ofDatabase(code: string, said: string, dataDir: string): Refusal {
  const isDamaged = code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB');
  return isDamaged
    ? {
        code: EX_SOFTWARE,
        sentence: `the database in ${dataDir} is damaged (${said}, ${code}): restore a backup`,
      }
    : {
        code: EX_IOERR,
        sentence: `the database in ${dataDir} cannot be opened or written: ${said} (${code})`,
      };
}

function ofAddress(code: string, said: string): Refusal {
  return code === 'EADDRINUSE'
    ? { code: EX_TEMPFAIL, sentence: `PORT is in use by another process: ${said}` }
    : { code: EX_CONFIG, sentence: `HOST or PORT cannot be used: ${said}` };
}
