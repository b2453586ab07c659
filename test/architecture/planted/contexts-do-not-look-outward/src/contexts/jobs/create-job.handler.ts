import { envelope } from '../../http/envelope.js';
export const handle = () => envelope;
