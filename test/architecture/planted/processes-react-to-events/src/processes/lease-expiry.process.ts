import { views } from '../ports/view-store.port.js';
export const react = () => views;
