import { category } from '../contexts/jobs/index.js';
export const logged = [category];
