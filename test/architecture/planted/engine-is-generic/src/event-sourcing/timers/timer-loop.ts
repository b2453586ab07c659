import { leaseExpiry } from '../../processes/lease-expiry.process.js';
export const loop = leaseExpiry;
