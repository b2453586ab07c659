import { views } from '../../src/ports/view-store.port.js';
export const apply = () => views;
