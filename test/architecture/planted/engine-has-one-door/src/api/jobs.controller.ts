import { AggregateStore } from '../event-sourcing/write/aggregate-store.js';
export const store = new AggregateStore();
