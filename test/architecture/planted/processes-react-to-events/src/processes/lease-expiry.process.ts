import { views } from '../event-sourcing/index.js';
export const react = () => views;
