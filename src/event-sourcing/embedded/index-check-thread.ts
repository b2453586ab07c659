import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from './connection.js';
import { portable } from './sqlite-errors.js';
import { checkLogTables } from './stored-state.js';

try {
  checkLogTables(openForReading(workerData as string));
  parentPort!.postMessage(undefined);
} catch (error) {
  throw portable(error);
}
