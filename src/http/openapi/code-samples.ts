import type { OperationSpec } from '../operation.js';
import { fieldsOf } from '../validation/field.js';
import { sampleOf } from './schemas.js';

export const SAMPLE_KEY = 'order-4711-print-1';

/** A call with curl: `$KEY` is the credential, and each part of the path or required query a variable of its name. */
export function curlSample({ route, auth, idempotencyKey, query, body, requestExample }: OperationSpec) {
  const [method, path] = route.split(' ') as [string, string];
  const required = [...(query ? fieldsOf(query) : [])].flatMap(([name, { options }]) =>
    options.optional ? [] : [`${name}=${variable(name)}`],
  );
  const target = path.replace(/:(\w+)|\*/g, (_, name?: string) => variable(name ?? 'rest'));
  const asked = required.length > 0 ? `?${required.join('&')}` : '';
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "https://print.example${target}${asked}"`,
    ...(auth === 'none' ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(idempotencyKey ? [`-H "Idempotency-Key: ${SAMPLE_KEY}"`] : []),
    ...(body
      ? ['-H "Content-Type: application/json"', `-d ${quoted(requestExample ?? sampleOf(body))}`]
      : []),
  ];
  return { lang: 'Shell', label: 'curl', source: parts.join(' \\\n  ') };
}

const variable = (name: string) => `$${name.toUpperCase()}`;

/** JSON as one word of a shell. */
const quoted = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
