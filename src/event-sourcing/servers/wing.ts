/** EventStoreDB and MongoDB, loaded on demand with both drivers. */
export { parseConnectionString } from './eventstoredb/connection-string.js';
export { ArchiveManifest } from './archive/archive-manifest.js';
export { EventStoreDb } from './eventstoredb/event-store-db.js';
export { eventStoreHealthCheck } from './eventstoredb/event-store-health-check.js';
export { mongoHealthCheck } from './mongodb/mongo-health-check.js';
export { openServerStores } from './open-server-stores.js';
