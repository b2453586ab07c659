/** SQLite's own name of what went wrong, e.g. `SQLITE_BUSY`; undefined for errors of another kind. */
export function sqliteCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

export function messageOf(error: unknown): string {
  return String((error as Partial<Error> | undefined)?.message ?? error);
}
