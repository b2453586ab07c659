import 'reflect-metadata';
import { startService } from './composition/start.js';

process.exitCode = await startService();
