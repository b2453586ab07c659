import 'reflect-metadata';
import { toldToStop } from './composition/told-to-stop.js';

// Loading the rest takes most of a second, in which it may be told to stop.
const stop = toldToStop();
const { startService } = await import('./composition/start.js');
process.exitCode = await startService(stop);
