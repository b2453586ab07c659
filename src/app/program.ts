import 'reflect-metadata';

export { startService } from './start.js';
