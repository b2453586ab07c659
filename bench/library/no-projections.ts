/** For filling a store with events only: the service builds the read models at its start. */
export const projections = [];
