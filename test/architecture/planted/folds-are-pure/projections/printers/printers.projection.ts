import { views } from '../../src/event-sourcing/index.js';
export const apply = () => views;
