import { StandInProcess, type Remote } from '../child.js';
import type { Controls } from './control.js';

export type MongoServer = Remote<Controls>;

/**
 * A MongoDB of one member for tests, on its own port in its own process: see README.md for what it does and does not.
 * The program is the built one: run `npm run build` before.
 */
export const startMongoServer = (): Promise<MongoServer> => StandInProcess.start<Controls>('mongodb');
