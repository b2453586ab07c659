import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from './connection.js';
import { portable } from './sqlite-errors.js';
import type { Check } from './store-threads.js';
import { checkLogTables } from './stored-state.js';
import { verifyViews } from './view-verification.js';
import { loadProjections } from './writer.js';

const check = workerData as Check;
const projected = 'views' in check ? await loadProjections(check.views.projectionsUrl) : [];
try {
  const found =
    'views' in check
      ? await verifyViews(check.views.dataDir, projected)
      : checkLogTables(openForReading(check.log));
  parentPort!.postMessage(found);
} catch (error) {
  throw portable(error);
}
