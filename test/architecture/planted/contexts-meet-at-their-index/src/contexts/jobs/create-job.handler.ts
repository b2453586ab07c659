import { printer } from '../devices/printer-names.js';
export const create = () => printer;
