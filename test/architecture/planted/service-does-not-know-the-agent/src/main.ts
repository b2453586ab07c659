import { journal } from '../agent/journal.js';
export const started = journal;
