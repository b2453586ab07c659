import { plainRefusals } from '../../http/errors/shared.errors.js';
import { managedHeaders, type Surface } from '../../http/surface.js';
import { operatorErrors } from './operator.errors.js';

export const operator: Surface = {
  name: 'operator',
  title: 'Operator surface',
  prefixes: ['/v1/operator'],
  errors: operatorErrors,
  refusals: plainRefusals,
  headers: managedHeaders,
  detailedErrors: false,
  messages: false,
  authorityFields: [],
};
