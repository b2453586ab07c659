import { parentPort, workerData } from 'node:worker_threads';
import { loadProjections } from './load-projections.js';
import { verifyViews } from './view-verification.js';
import type { WriterThreadData } from './writer-thread.js';

const { dataDir, projectionsUrl } = workerData as WriterThreadData;

parentPort!.postMessage(verifyViews(dataDir, await loadProjections(projectionsUrl)));
