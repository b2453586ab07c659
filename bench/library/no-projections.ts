/** For filling a store: events alone, the read models are built when the service starts on it. */
export const projections = [];
