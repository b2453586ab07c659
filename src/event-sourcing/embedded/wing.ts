/** SQLite stores, loaded on demand with their native driver. */
export { compactDatabase, CompactionError } from './compaction.js';
export { dataDirHealthCheck, logOfUnused } from './data-dir-health-check.js';
export { lockDataDir } from './data-dir-lock.js';
export { copyDatabase, damageOf, hasDatabase, isPurged, logOf, outsideDocuments } from './database-backup.js';
export { openEmbeddedStores } from './open-embedded-stores.js';
export { storedDataHealthCheck } from './stored-data-health-check.js';
export { newestEvent, storedState } from './stored-state.js';
export { readLogState } from './write-ahead-log.js';
