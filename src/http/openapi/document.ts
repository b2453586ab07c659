import { type OperationSpec, REST, tagsOf } from '../operation.js';
import type { Surface, Versions } from '../surface.js';
import { fieldsOf } from '../validation/field.js';
import { errorResponses, HEADERS, successResponses } from './responses.js';
import { Components, sampleOf } from './schemas.js';

/** Name of the security scheme in every document; the reading page selects it. */
export const SECURITY_SCHEME = 'credential';

/** The OpenAPI 3.1 document of a surface, from the same declarations that check its requests. */
export function openApiDocument(
  surface: Surface,
  operations: readonly OperationSpec[],
  versions: Versions,
  publicUrl = '',
) {
  const components = new Components();
  const { introduction, webhooks } = surface.document!;
  const paths: Record<string, Record<string, unknown>> = {};
  const own = operations.filter((operation) => operation.surface === surface && !operation.hidden);
  for (const operation of own) {
    const [method, route] = operation.route.split(' ') as [string, string];
    const path = route
      .replace(/^\/v1/, '')
      .replace(/:(\w+)/g, '{$1}')
      .replace(REST, '{rest}');
    (paths[path] ??= {})[method.toLowerCase()] = describe(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: versions.contract,
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Remote Printing Service', url: REPOSITORY },
    },
    'x-svc-product-version': versions.product,
    'x-svc-docs-version': versions.product,
    'x-svc-schema-version': versions.schema,
    servers: [{ url: `${publicUrl}/v1` }],
    tags: tagsOf(own),
    paths,
    ...(webhooks && { webhooks: webhooks() }),
    components: {
      schemas: components.schemas(),
      headers: referredHeaders(paths),
      securitySchemes: { [SECURITY_SCHEME]: securityScheme(surface) },
    },
  };
}

const REPOSITORY = 'https://github.com/remote-printing/remote-printing-service';

function referredHeaders(paths: object) {
  const text = JSON.stringify(paths);
  const isReferred = ([name]: [string, unknown]) => text.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(HEADERS).filter(isReferred));
}

function securityScheme({ document }: Surface) {
  const { credential: description, cookie } = document!;
  if (cookie) return { type: 'apiKey', in: 'cookie', name: cookie, description };
  return { type: 'http', scheme: 'bearer', description };
}

function describe(operation: OperationSpec, components: Components) {
  const { id, summary, tag, description = `${summary}.`, scopes = [], anyScope, auth, surface } = operation;
  const body = requestBodyOf(operation, components);
  return {
    operationId: id,
    summary,
    ...(tag && { tags: [tag] }),
    description,
    'x-svc-permissions': scopes,
    ...(anyScope && { 'x-svc-permissions-any': anyScope }),
    security: securityOf(auth),
    parameters: parametersOf(operation, components),
    ...(body && { requestBody: body }),
    ...(!surface.document!.cookie && { 'x-codeSamples': [curlSample(operation)] }),
    responses: { ...successResponses(operation, components), ...errorResponses(operation) },
  };
}

function securityOf(auth: OperationSpec['auth']): readonly object[] {
  const required = { [SECURITY_SCHEME]: [] };
  if (auth === 'none') return [];
  return auth === 'optional' ? [{}, required] : [required];
}

const SAMPLE_KEY = 'order-4711-print-1';
const KEY_PATTERN = '^[A-Za-z0-9._:-]{8,128}$';

const correlationId = {
  name: 'X-Correlation-Id',
  in: 'header',
  required: false,
  description: `Echoed in X-Svc-Correlation-Id when it matches ${KEY_PATTERN}; otherwise one is made.`,
  schema: { type: 'string' },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'The same key with the same request gives the same result.',
  schema: { type: 'string', pattern: KEY_PATTERN, minLength: 8, maxLength: 128 },
  example: SAMPLE_KEY,
};

export function parametersOf(operation: OperationSpec, components: Components): unknown[] {
  const path = Object.entries(operation.params ?? {}).map(([name, parameter]) => ({
    name: name === REST ? 'rest' : name,
    in: 'path',
    required: true,
    schema:
      typeof parameter === 'string'
        ? { type: 'string', format: 'uuid' }
        : { type: 'string', pattern: parameter.pattern.source },
  }));
  const query = operation.query ? [...fieldsOf(operation.query)] : [];
  const further = Object.entries(operation.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [
    ...path,
    ...query.map(([name, entry]) => ({
      name,
      in: 'query',
      required: !entry.options.optional,
      ...(entry.options.description && { description: entry.options.description }),
      schema: components.fieldSchema(entry),
    })),
    correlationId,
    ...(operation.idempotencyKey ? [idempotencyKey] : []),
    ...further,
  ];
}

export function requestBodyOf({ body, bodyOptional, requestExample }: OperationSpec, components: Components) {
  if (!body) return undefined;
  return {
    required: !bodyOptional,
    content: {
      'application/json': { schema: components.ref(body), example: requestExample ?? sampleOf(body) },
    },
  };
}

/** A call with curl: `$KEY` is the credential, and each part of the path or required query a variable of its name. */
function curlSample({ route, auth, idempotencyKey, query, body, requestExample }: OperationSpec) {
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
