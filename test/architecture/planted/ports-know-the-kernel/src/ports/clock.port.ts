import { latest } from '../event-sourcing/latest.js';
export const clock = latest;
