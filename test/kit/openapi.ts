import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Content {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Described {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly 'x-svc-permissions': readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Described>>;
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, object>>;
  };
  readonly [extension: `x-${string}`]: unknown;
}

export interface Given {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Shared by all documents, so the meta-schema is compiled once. Each schema checks few answers, so optimizing
 * costs more than it saves.
 */
const ajv = new Ajv2020({
  ...{ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true },
  code: { optimize: false },
});
addFormats.default(ajv);
ajv.addKeyword('components');
let documents = 0;

/** Checks real answers against an OpenAPI document. */
export class Conformance {
  readonly #id = `openapi-${documents++}`;
  readonly #compiled = new Map<object, ReturnType<Ajv2020['compile']>>();

  readonly #operations: ReadonlyMap<string, Placed>;

  constructor(readonly document: OpenApi) {
    const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
    this.#operations = new Map(placed.map((each) => [each.operation.operationId, each]));
    ajv.addSchema({ $id: this.#id, components: document.components });
  }

  static async of(url: string): Promise<Conformance> {
    return new Conformance((await (await fetch(url)).json()) as OpenApi);
  }

  /** Operations by operationId, with method and path. */
  operations(): ReadonlyMap<string, Placed> {
    return this.#operations;
  }

  /** Deviations of an answer in status, headers, media type or body; empty if it conforms. */
  problems(operationId: string, { status, headers, text }: Given): string[] {
    const described = this.operations().get(operationId)?.operation.responses[String(status)];
    if (!described) return [`${operationId} does not describe ${status}`];
    const missing = Object.keys(described.headers ?? {})
      .filter((name) => !this.#isOptional(name) && !headers.has(name))
      .map((name) => `${operationId} ${status}: the header ${name} is missing`);
    return [...missing, ...this.#bodyProblems(`${operationId} ${status}`, described, headers, text)];
  }

  /** Violations of a schema of the document. */
  violations(schema: object, value: unknown): string[] {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(this.#rebased(schema));
      this.#compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  }

  /** Headers of limits are off in many tests; others depend on the case. */
  #isOptional(name: string): boolean {
    return /^(RateLimit-|Retry-After|WWW-Authenticate|Idempotent-Replayed|Preference-Applied|ETag|Service-Restored-From)/i.test(
      name,
    );
  }

  #bodyProblems(where: string, { content }: Described, headers: Headers, text: string): string[] {
    if (!content) return text === '' ? [] : [`${where}: no body is described`];
    const media = (headers.get('content-type') ?? '').split(';')[0]!;
    const schema = content[media]?.schema;
    if (!schema) return [`${where}: ${media} is not described`];
    if (media !== 'application/json') return [];
    return this.violations(schema, JSON.parse(text)).map((violation) => `${where}: ${violation}`);
  }

  /** Makes references absolute, so that the schema can be used outside its document. */
  #rebased(schema: object): object {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${this.#id}#/components/`);
    return JSON.parse(text) as object;
  }
}
