import { envelope } from '../../api/shared/envelope.js';
export const handle = () => envelope;
