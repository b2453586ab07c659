import { REST, tagsOf, type OperationSpec } from '../operation.js';
import type { Surface, Versions } from '../surface.js';
import { Components } from './schemas.js';
import { errorResponses, HEADERS, successResponses } from './responses.js';
import { parametersOf, requestBodyOf } from './inputs.js';

/** Name of the security scheme in every document; the reading page selects it. */
export const SECURITY_SCHEME = 'credential';

/** The OpenAPI 3.1 document of a surface, from the same declarations that check its requests. */
export function openApiDocument(surface: Surface, operations: readonly OperationSpec[], versions: Versions) {
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
    },
    'x-svc-product-version': versions.product,
    'x-svc-docs-version': versions.product,
    'x-svc-schema-version': versions.schema,
    servers: [{ url: '/v1' }],
    tags: tagsOf(own),
    paths,
    ...(webhooks && { webhooks: webhooks() }),
    components: {
      schemas: components.schemas(),
      headers: HEADERS,
      securitySchemes: { [SECURITY_SCHEME]: securityScheme(surface) },
    },
  };
}

function securityScheme({ document }: Surface) {
  const { credential: description, cookie } = document!;
  if (cookie) return { type: 'apiKey', in: 'cookie', name: cookie, description };
  return { type: 'http', scheme: 'bearer', description };
}

function describe(operation: OperationSpec, components: Components) {
  const { id, summary, tag, description, scopes = [], anyScope, auth } = operation;
  const body = requestBodyOf(operation, components);
  return {
    operationId: id,
    summary,
    ...(tag && { tags: [tag] }),
    ...(description && { description }),
    'x-svc-permissions': scopes,
    ...(anyScope && { 'x-svc-permissions-any': anyScope }),
    security: securityOf(auth),
    parameters: parametersOf(operation, components),
    ...(body && { requestBody: body }),
    responses: { ...successResponses(operation, components), ...errorResponses(operation) },
  };
}

function securityOf(auth: OperationSpec['auth']): readonly object[] {
  const required = { [SECURITY_SCHEME]: [] };
  if (auth === 'none') return [];
  return auth === 'optional' ? [{}, required] : [required];
}
