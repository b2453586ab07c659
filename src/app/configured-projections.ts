import { loadConfig } from '../config.js';
import { projectionsFor } from './projections.js';

/** What the writer thread of the embedded store loads: it sees the same environment as the main thread. */
export const projections = projectionsFor(loadConfig());
