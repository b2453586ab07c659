import { format } from 'prettier';
export const pretty = format;
