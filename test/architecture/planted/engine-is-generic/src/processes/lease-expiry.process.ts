export const leaseExpiry = {};
