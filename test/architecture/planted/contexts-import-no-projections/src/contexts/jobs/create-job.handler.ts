import { getPrinter } from '../../../projections/printers/printers.queries.js';
export const handle = () => getPrinter;
