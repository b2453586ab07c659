import { aggregates } from '../../src/runtime/aggregate-store.js';
export const list = () => aggregates;
