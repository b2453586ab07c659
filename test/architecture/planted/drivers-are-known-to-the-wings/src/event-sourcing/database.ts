import Database from 'better-sqlite3';
export const open = (file: string) => new Database(file);
