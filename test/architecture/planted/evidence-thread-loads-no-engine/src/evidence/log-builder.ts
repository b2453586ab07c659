import { MissingHashesError } from '../event-sourcing/index.js';

export const isMissing = (error: unknown) => error instanceof MissingHashesError;
