import { integrationErrors } from '../api/integration/integration.errors.js';

export const codes = Object.keys(integrationErrors);
