import { pages } from '../../src/http/pages.js';
export const list = () => pages;
