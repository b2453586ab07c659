import { config } from '../../config.js';
export const timeout = config.timeout;
