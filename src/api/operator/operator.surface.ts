import type { Type } from '@nestjs/common';
import { managedHeaders, type Surface } from '../../http/surface.js';
import type { ErrorCode } from '../../http/errors/api-error.js';
import type { OperationSpec, PathParameter, Tag } from '../../http/operation.js';
import { columnOf } from '../errors/answers.js';

export const operator: Surface = {
  name: 'operator',
  title: 'Operator surface',
  prefixes: ['/v1/operator'],
  ...columnOf('operator'),
  headers: managedHeaders,
  detailedErrors: false,
  messages: false,
  authorityFields: [],
  document: {
    path: '/v1/operator/openapi.json',
    introduction: `Operations of the installation that the panel uses, for operators. The others are those of \`rps\`.

\`\`\`sh
curl -H "Authorization: Bearer $OPERATOR_TOKEN" http://127.0.0.1:3000/v1/operator/service
\`\`\``,
    credential: 'The operator token of the installation. In a browser: the session cookie of an operator.',
  },
};

interface Row {
  readonly id: string;
  readonly route: OperationSpec['route'];
  readonly summary: string;
  /** Group of the OpenAPI document; absent: the operation is not described there. */
  readonly tag?: Tag;
  /** Type of `data` of a described operation. */
  readonly type?: Type;
  readonly params?: Readonly<Record<string, PathParameter>>;
  readonly query?: Type;
  readonly body?: Type;
  readonly bodyOptional?: boolean;
  readonly created?: boolean;
  readonly errors?: readonly ErrorCode[];
}

/** Declares an operator operation: 201 for a creation, else 200, code `OK`. */
export function operationOf({ created = false, type = undefined, ...row }: Row): OperationSpec {
  return {
    ...row,
    hidden: row.tag === undefined,
    surface: operator,
    success: { status: created ? 201 : 200, description: row.summary, codes: ['OK'], type: type ?? {} },
  };
}
