import { documents } from '../../embedded/documents.js';
export const views = documents;
