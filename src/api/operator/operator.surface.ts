import type { Type } from '@nestjs/common';
import { ok, Operation, type OperationSpec } from '../../http/operation.js';
import { managedHeaders, type Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';

export const operator: Surface = {
  name: 'operator',
  title: 'Operator surface',
  prefixes: ['/v1/operator'],
  ...columnOf('operator'),
  okCode: 'OK',
  params: {
    job_id: 'JOB_NOT_FOUND',
    'accounts/:id': 'ACCOUNT_NOT_FOUND',
    'computers/:id': 'COMPUTER_NOT_FOUND',
    'credentials/:id': 'CREDENTIAL_NOT_FOUND',
    'keys/:id': 'KEY_NOT_FOUND',
    'members/:id': 'MEMBER_NOT_FOUND',
    'partners/:id': 'PARTNER_NOT_FOUND',
    'printers/:id': 'PRINTER_NOT_FOUND',
    'accounts/:account': {
      notFound: 'ACCOUNT_NOT_FOUND',
      pattern: /^(?:system|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    },
    'printers/:name': { notFound: 'PRINTER_NOT_FOUND', pattern: /^\P{Cc}{1,180}$/u },
    'streams/:name': { notFound: 'STREAM_NOT_FOUND', pattern: /^[A-Za-z]{1,40}-[0-9a-fA-F-]{1,80}$/ },
    'views/:name': { notFound: 'VIEW_NOT_FOUND', pattern: /^[a-z-]{1,60}$/ },
  },
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

type Row = Omit<OperationSpec, 'surface' | 'success'> & {
  readonly type?: Type;
  readonly creates?: boolean;
  readonly success?: OperationSpec['success'];
};

/**
 * An operation of operators; its success is what its summary says. It is in the OpenAPI document, the only reader of
 * `errors`, if it has a group.
 */
export function OperatorOperation({ creates = false, type, ...row }: Row): MethodDecorator {
  const success = ok(row.summary, type ?? {}, { status: creates ? 201 : 200 });
  return Operation({ success, hidden: row.tag === undefined, ...row, surface: operator });
}
