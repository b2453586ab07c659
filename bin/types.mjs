import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';
import { compile as compileService } from './build.mjs';

// node bin/types.mjs: writes the types of the SDK from the documents that the service serves.

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(root, 'sdk/src/generated');
/** Documents below /v1 by file, and the operations that are not for clients. */
const SURFACES = {
  integration: {
    document: '/openapi.json',
    left: [
      ...['getEvidenceHead', 'exportAccountEvidence', 'exportJobEvidence'],
      ...['getLogCheckpoint', 'getLogKey', 'getLogTile'],
    ],
  },
  partner: { document: '/managed/openapi.json', left: ['enrollDevice'] },
  operator: { document: '/operator/openapi.json', left: [] },
  panel: { document: '/panel/openapi.json', left: ['openFeed', 'getJobDocument', 'downloadJobs'] },
};
const BANNER = '// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.\n';
/** Remarks of the library about how it found a type. */
const REFERENCE = /( \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g;
const EMPTY = /\/\*\*\n \*\/\n/g;
const OPTIONS = {
  bannerComment: '',
  additionalProperties: false,
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
};

/** Texts of the generated files by name. @param url of a running service, with /v1 */
export async function typesOf(url) {
  const files = {};
  for (const [name, { document, left }] of Object.entries(SURFACES)) {
    const openApi = await (await fetch(url + document)).json();
    files[`${name}.ts`] = await clientTypes(operationsOf(openApi, left), openApi.components.schemas);
    if (openApi.webhooks) files['webhooks.ts'] = await eventTypes(Object.values(openApi.webhooks));
  }
  const style = { ...(await resolveConfig(path.join(FOLDER, 'any.ts'))), parser: 'typescript' };
  const formatted = Object.entries(files).map(async ([name, text]) => [name, await format(text, style)]);
  return Object.fromEntries(await Promise.all(formatted));
}

async function clientTypes(operations, schemas) {
  const own = operations.flatMap(({ id, query, data }) => [
    ...(query.length > 0 ? [[capital(`${id}Query`), queryOf(query)]] : []),
    ...(data.$ref ? [] : [[capital(`${id}Data`), data]]),
  ]);
  const rows = operations.map(({ id, body, query, data, codes, ...row }) => ({
    table: `${id}: ${JSON.stringify(row)},`,
    types: `${id}: { body: ${nameOf(body) ?? 'undefined'}; query: ${query.length > 0 ? capital(`${id}Query`) : 'undefined'}; data: ${nameOf(data) ?? capital(`${id}Data`)}; codes: ${codes.map((code) => `'${code}'`).join(' | ')} };`,
  }));
  const table = rows.map((row) => row.table).join('\n  ');
  const types = rows.map((row) => row.types).join('\n  ');
  return `${await declarations({ ...schemas, ...Object.fromEntries(own) })}
export interface Operations {\n  ${types}\n}\n
export const operations = {\n  ${table}\n} as const;\n`;
}

function operationsOf({ paths }, left) {
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !left.includes(operationId))
      .map(([method, operation]) => {
        const { operationId: id, parameters, requestBody, responses } = operation;
        const answers = Object.entries(responses).map(([status, { content }]) => [
          Number(status),
          content?.['application/json']?.schema.properties,
        ]);
        const refused = answers.filter(([status, properties]) => status >= 400 && properties);
        return {
          ...{ id, method: method.toUpperCase(), path: route, scopes: operation['x-svc-permissions'] },
          keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
          body: requestBody?.content['application/json'].schema,
          query: parameters.filter((parameter) => parameter.in === 'query'),
          data: answers.find(([status]) => status < 300)[1].data,
          codes: [
            ...new Set(refused.flatMap(([, { code, error }]) => (code ?? error.properties.code).enum)),
          ].sort(),
        };
      }),
  );
}

/** One type an event; the four resources once. */
async function eventTypes(webhooks) {
  const events = webhooks.map(({ post }) => post.requestBody.content['application/json'].schema);
  const definitions = {};
  for (const { title, properties, ...schema } of events) {
    const [[subject, resource]] = Object.entries(properties.data.properties);
    definitions[`Event${capital(subject)}`] = resource;
    const data = {
      ...properties.data,
      properties: { [subject]: { $ref: `#/components/schemas/Event${capital(subject)}` } },
    };
    definitions[typeName(title)] = { ...schema, properties: { ...properties, data } };
  }
  const union = events.map(({ title }) => typeName(title)).join(' | ');
  return `${await declarations(definitions)}\nexport type WebhookEvent = ${union};\n`;
}

async function declarations(schemas) {
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const text = await compile({ definitions, type: 'object' }, 'Unused', OPTIONS);
  const plain = text
    .replace(/export interface Unused \{[^}]*\}\n/, '')
    .replace(REFERENCE, '')
    .replace(EMPTY, '');
  return BANNER + plain;
}

const queryOf = (query) => ({
  type: 'object',
  properties: Object.fromEntries(
    query.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  ),
  required: [],
  additionalProperties: false,
});
const nameOf = (schema) => schema?.$ref?.split('/').at(-1);
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const typeName = (title) => title.split(/[._]/).map(capital).join('') + 'Event';

/** Starts the service on an empty folder while `use` runs. */
async function withService(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rps-types-'));
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info' };
  const service = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 2],
  });
  try {
    for await (const line of createInterface(service.stdout)) {
      const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (url) return await use(`${url}/v1`);
    }
    throw new Error('the service did not start');
  } finally {
    service.kill();
    await once(service, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compileService();
  mkdirSync(FOLDER, { recursive: true });
  const files = await withService(typesOf);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(FOLDER, name), text);
}
