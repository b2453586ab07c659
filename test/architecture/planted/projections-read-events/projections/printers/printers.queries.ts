import { aggregates } from '../../src/event-sourcing/write/aggregate-store.js';
export const list = () => aggregates;
