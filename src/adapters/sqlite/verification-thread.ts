import { parentPort, workerData } from 'node:worker_threads';
import { loadProjections } from './load-projections.js';
import { portable } from './sqlite-errors.js';
import { verifyViews } from './view-verification.js';
import type { WriterThreadData } from './writer-thread.js';

const { dataDir, projectionsUrl } = workerData as WriterThreadData;

const projected = await loadProjections(projectionsUrl);
try {
  parentPort!.postMessage(verifyViews(dataDir, projected));
} catch (error) {
  throw portable(error);
}
