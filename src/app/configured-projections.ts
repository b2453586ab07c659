import { loadConfig } from '../config.js';
import { projectionsFor } from './projections.js';

/** Loaded by the writer thread, which reads the same environment as the main thread. */
export const projections = projectionsFor(loadConfig());
