import { parentPort, workerData } from 'node:worker_threads';
import { loadProjections } from './writer.js';
import { portable } from './sqlite-errors.js';
import { verifyViews } from './view-verification.js';
import type { ProjectedFolder } from './store-threads.js';

const { dataDir, projectionsUrl } = workerData as ProjectedFolder;

const projected = await loadProjections(projectionsUrl);
try {
  parentPort!.postMessage(await verifyViews(dataDir, projected));
} catch (error) {
  throw portable(error);
}
