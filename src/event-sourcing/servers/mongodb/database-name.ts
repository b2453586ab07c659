const DEFAULT_DATABASE = 'rps';
/** source: www.mongodb.com/docs/manual/reference: local-database, config-database, system-users-collection */
const OF_THE_SERVER: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** @throws Error for a system database, without other parts of the URL, which may hold a password */
export function databaseOf(url: string): string {
  const [, named = DEFAULT_DATABASE] = /^[^/]+:\/\/[^/?]+\/([^?]+)/.exec(url) ?? [];
  const database = decoded(named);
  if (OF_THE_SERVER.has(database.toLowerCase())) {
    throw new Error(
      `the database ${database} belongs to MongoDB itself: name one of our own, as in /rps?authSource=admin`,
    );
  }
  return database;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error('the name of the database is not percent-encoded as a URL wants it');
  }
}
