import type { Type } from '@nestjs/common';
import { plainRefusals } from '../../http/errors/shared.errors.js';
import { managedHeaders, type Surface } from '../../http/surface.js';
import type { ErrorCode } from '../../http/errors/api-error.js';
import type { OperationSpec, PathParameter } from '../../http/operation.js';
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

interface Row {
  readonly id: string;
  readonly route: OperationSpec['route'];
  readonly summary: string;
  readonly params?: Readonly<Record<string, PathParameter>>;
  readonly query?: Type;
  readonly body?: Type;
  readonly bodyOptional?: boolean;
  readonly created?: boolean;
  readonly errors?: readonly ErrorCode[];
}

/** Declares an operator operation: 201 for a creation, else 200, code `OK`. */
export function operationOf({ created = false, ...row }: Row): OperationSpec {
  return {
    ...row,
    surface: operator,
    success: { status: created ? 201 : 200, description: row.summary, codes: ['OK'], type: {} },
  };
}
