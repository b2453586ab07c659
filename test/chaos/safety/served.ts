import { Conformance, type DescribedOperation } from '../../kit/openapi.js';

export type SurfaceName = 'integration' | 'partner' | 'agent' | 'panel';

/** One operation from a running service's OpenAPI document. */
export interface Served {
  readonly surface: SurfaceName;
  readonly id: string;
  readonly method: string;
  /** Below /v1, with `{names}`. */
  readonly path: string;
  readonly operation: DescribedOperation;
  readonly document: Conformance;
}

type Documents = readonly (readonly [SurfaceName, string])[];

/** Of the surfaces that programs call with credentials. */
const OF_PROGRAMS: Documents = [
  ['integration', '/openapi.json'],
  ['partner', '/managed/openapi.json'],
  ['agent', '/agent/openapi.json'],
];

export const EVERY_DOCUMENT: Documents = [...OF_PROGRAMS, ['panel', '/panel/openapi.json']];

/** Every operation of the documents, so that new ones join the suites automatically. */
export async function servedOperations(url: string, read: Documents = OF_PROGRAMS): Promise<Served[]> {
  const documents = await Promise.all(
    read.map(async ([surface, path]) => [surface, await Conformance.of(url + path)] as const),
  );
  return documents.flatMap(([surface, document]) =>
    [...document.operations()].map(([id, placed]) => ({ surface, id, document, ...placed })),
  );
}

/** By its method or its scopes: listWebhooks is a POST. */
export function isRead({ method, operation }: Served): boolean {
  const scopes = operation['x-svc-permissions'];
  return method === 'GET' || (scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read')));
}

export const needsCredential = ({ operation }: Served) => operation.security.length > 0;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly contentEncoding?: string;
}

/** The schema of a reference. */
export function resolved(document: Conformance, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = document.document.components.schemas[name];
  if (!found) throw new Error(`${schema.$ref} is not in the document`);
  return resolved(document, found as Schema);
}

export const bodySchema = ({ operation }: Served) =>
  operation.requestBody?.content['application/json']?.schema as Schema | undefined;
