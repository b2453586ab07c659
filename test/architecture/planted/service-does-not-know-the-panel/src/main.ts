import { pages } from '../panel/pages.js';
export const served = pages;
