/** SQLite stores, loaded on demand with their native driver. */
export { compactDatabase, CompactionError } from './compaction.js';
export { dataDirHealthCheck, logOfUnused } from './data-dir-health-check.js';
export { lockDataDir } from './data-dir-lock.js';
export { copyDatabase, damageOf, isPurged, logOf, lostArchive, outsideDocuments } from './database-backup.js';
export { openEmbeddedStores } from './embedded-stores.js';
export { SqliteEventArchive } from './sqlite-event-archive.js';
export { storedDataHealthCheck } from './stored-data-health-check.js';
export { hasDatabase, newestEvent, storedState } from './stored-state.js';
export { readLogState } from './write-ahead-log.js';
