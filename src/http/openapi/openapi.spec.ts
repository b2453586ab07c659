import { Ajv2020 } from 'ajv/dist/2020.js';
import { startDemo, type Demo } from '../../../test/kit/http/demo-app.js';
import { Conformance, type OpenApi } from '../../../test/kit/openapi.js';
import { OPENAPI_FORM } from '../../../test/kit/openapi-form.js';

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';

describe('describing the API', () => {
  let demo: Demo;
  let integration: Conformance;
  let partner: Conformance;
  let agent: Conformance;

  beforeAll(async () => {
    demo = await startDemo();
    integration = await Conformance.of(`${demo.url}/v1/openapi.json`);
    partner = await Conformance.of(`${demo.url}/v1/managed/openapi.json`);
    agent = await Conformance.of(`${demo.url}/v1/agent/openapi.json`);
  });
  afterAll(() => demo.close());

  it('serves a document for each surface without a credential', () => {
    expect([...integration.operations().keys()].sort()).toEqual([
      'createThing',
      'failThing',
      'getThing',
      'listThings',
      'sendLines',
      'testThing',
    ]);
    expect([...partner.operations().keys()].sort()).toEqual(['deactivate', 'enroll']);
    expect([...agent.operations().keys()].sort()).toEqual(['heartbeat', 'poll']);
  });

  it('names its versions', () => {
    expect(integration.document).toMatchObject({
      openapi: '3.1.0',
      info: { version: 'v1' },
      'x-svc-product-version': '2.0.59',
      'x-svc-docs-version': '2.0.59',
      'x-svc-schema-version': 23,
    });
  });

  it('names licence and contact, refers to each of its headers, and shows each call with curl', () => {
    for (const { document, operations } of [integration, partner, agent].map((one) => ({
      document: JSON.parse(JSON.stringify(one.document)) as {
        info: object;
        paths: object;
        components: { headers: object };
      },
      operations: [...one.operations().values()],
    }))) {
      expect(document.info).toMatchObject({
        license: { identifier: 'Apache-2.0' },
        contact: { url: expect.any(String) },
      });
      const paths = JSON.stringify(document.paths);
      for (const name of Object.keys(document.components.headers))
        expect(paths).toContain(`#/components/headers/${name}"`);
      expect(paths.match(/"x-codeSamples":\[\{"lang":"Shell"/g)).toHaveLength(operations.length);
    }
    expect(JSON.stringify(integration.document)).toContain('-H \\"Authorization: Bearer $KEY\\"');
  });

  it('has the form of OpenAPI 3.1, with parameters for all parts of a path and ids that are unique', () => {
    for (const { document } of [integration, partner, agent]) {
      expect(violationsOf(document)).toEqual([]);
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.values(methods).map((operation) => ({ path, operation })),
      );
      const ids = operations.map(({ operation }) => operation.operationId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { path, operation } of operations) {
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(
          inPath,
        );
      }
    }
    expect(violationsOf({ ...integration.document, colour: 'red' } as never)).not.toEqual([]);
  });

  it('has valid schemas, closed objects and resolved references', () => {
    for (const conformance of [integration, partner, agent]) {
      for (const schema of schemasIn(conformance.document)) {
        expect(() => conformance.violations(schema, null)).not.toThrow();
      }
      for (const [name, schema] of Object.entries(conformance.document.components.schemas)) {
        expect([name, schema]).toEqual([name, expect.objectContaining({ additionalProperties: false })]);
      }
      const text = JSON.stringify(conformance.document);
      for (const [, ref] of text.matchAll(/"\$ref":"#\/components\/(\w+\/[\w-]+)"/g)) {
        const [kind, name] = ref!.split('/') as ['schemas' | 'headers', string];
        expect(conformance.document.components[kind]).toHaveProperty([name]);
      }
    }
  });

  it('has examples that fit their schemas', () => {
    for (const conformance of [integration, partner, agent]) {
      for (const { operation } of conformance.operations().values()) {
        const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((each) =>
          Object.values(each?.content ?? {}),
        );
        for (const { schema, example, examples } of contents) {
          const values = [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples ?? {}).map(({ value }) => value),
          ];
          expect(values.length).toBeGreaterThan(0);
          for (const value of values) expect(conformance.violations(schema!, value)).toEqual([]);
        }
      }
    }
  });

  it('lists scopes, parameters and all errors of an operation', () => {
    const { method, path, operation } = integration.operations().get('createThing')!;
    expect([method, path]).toEqual(['POST', '/demo-things']);
    expect(operation['x-svc-permissions']).toEqual(['things:write']);
    expect(operation.parameters.map(({ name }) => name)).toEqual(['X-Correlation-Id', 'Idempotency-Key']);
    expect(Object.keys(operation.responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '405',
      '408',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ]);
    const enroll = partner.operations().get('enroll')!.operation;
    expect(enroll.security).toEqual([]);
    expect(Object.keys(enroll.responses)).toContain('401');
    const query = integration.operations().get('listThings')!.operation.parameters[2];
    expect(query).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    });
  });

  it('matches the actual responses', async () => {
    const content = { type: 'text', encoding: 'utf8', data: 'x' };
    const headers = { 'idempotency-key': 'order-4711' };
    const answers = [
      ['listThings', await demo.call('GET', '/v1/demo-things', { as: 'full' })],
      ['listThings', await demo.call('GET', '/v1/demo-things?limit=0', { as: 'full' })],
      ['listThings', await demo.call('GET', '/v1/demo-things')],
      ['listThings', await demo.call('PATCH', '/v1/demo-things')],
      ['getThing', await demo.call('GET', `/v1/demo-things/${ID}`, { as: 'full' })],
      ['getThing', await demo.call('GET', '/v1/demo-things/x', { as: 'full' })],
      ['createThing', await demo.call('POST', '/v1/demo-things', { as: 'reader', json: {} })],
      [
        'createThing',
        await demo.call('POST', '/v1/demo-things', {
          as: 'full',
          raw: 'x',
          headers: { 'content-type': 'a/b' },
        }),
      ],
      [
        'createThing',
        await demo.call('POST', '/v1/demo-things', {
          as: 'full',
          headers,
          json: { printer_id: ID, content },
        }),
      ],
      ['failThing', await demo.call('GET', '/v1/demo-failures/store', { as: 'full' })],
      ['failThing', await demo.call('GET', '/v1/demo-failures/bug', { as: 'full' })],
      ['failThing', await demo.call('GET', '/v1/demo-failures/none', { as: 'full' })],
    ] as const;
    for (const [operation, answer] of answers) expect(integration.problems(operation, answer)).toEqual([]);
    expect(
      partner.problems(
        'enroll',
        await demo.call('POST', '/v1/managed/enroll', { json: { reason: 'wrong' } }),
      ),
    ).toEqual([]);
    expect(
      agent.problems(
        'poll',
        await demo.call('POST', '/v1/agent/polls', { as: 'device', json: { reason: 'same' } }),
      ),
    ).toEqual([]);
  });

  it('reports a response that is not described', async () => {
    const answer = await demo.call('GET', '/v1/demo-things', { as: 'full' });
    const changed = (text: string) => integration.problems('listThings', { ...answer, text });
    expect(changed(answer.text.replace('"total":1', '"total":-1'))).toHaveLength(1);
    expect(changed(answer.text.replace('"total":1', '"total":1,"more":1'))).toHaveLength(1);
    expect(integration.problems('listThings', { ...answer, status: 418 })).toHaveLength(1);
    expect(integration.problems('listThings', { ...answer, headers: new Headers() })).not.toHaveLength(0);
  });
});

const ajv = new Ajv2020({ allErrors: true });
const validate = ajv.compile(OPENAPI_FORM);

const violationsOf = (document: OpenApi) =>
  validate(document) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);

function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'schema' in value && typeof value.schema === 'object' ? [value.schema as object] : [];
  return [...own, ...Object.values(value).flatMap(schemasIn)];
}
