/** JSON Schema for the used part of OpenAPI 3.1 documents (specification, section 4.8); rejects everything else. */
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const text = { type: 'string', minLength: 1 };
const mapOf = (value: object, pattern = '^.+$') => ({
  type: 'object',
  patternProperties: { [pattern]: value },
  additionalProperties: false,
});
const closed = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
  patternProperties: { '^x-': true },
  additionalProperties: false,
});
const schema = { type: 'object' };
const examples = mapOf(closed({ summary: text, value: true }, 'value'));
const content = mapOf(closed({ schema, example: true, examples }, 'schema'), '^[a-z*]+/[a-z0-9.+*-]+$');
const reference = closed({ $ref: { type: 'string', pattern: '^#/components/' } }, '$ref');
const header = closed({ description: text, required: { type: 'boolean' }, schema }, 'schema');

export const OPENAPI_FORM = {
  ...closed(
    {
      openapi: { const: '3.1.0' },
      info: closed(
        { title: text, version: text, description: text, summary: text, license: schema, contact: schema },
        'title',
        'version',
      ),
      servers: { type: 'array', items: closed({ url: text, description: text }, 'url') },
      tags: { type: 'array', items: closed({ name: text, description: text }, 'name') },
      paths: mapOf(mapOf(ref('operation'), '^(get|put|post|delete|patch|head|options)$'), '^/[^:?]*$'),
      webhooks: mapOf(mapOf(ref('operation'), '^post$')),
      components: closed({
        schemas: mapOf(schema, '^[a-zA-Z0-9._-]+$'),
        headers: mapOf(header, '^[a-zA-Z0-9._-]+$'),
        securitySchemes: mapOf(
          closed({ type: { const: 'http' }, scheme: text, description: text }, 'type', 'scheme'),
        ),
      }),
    },
    'openapi',
    'info',
    'paths',
  ),
  $defs: {
    operation: closed(
      {
        operationId: text,
        summary: text,
        description: text,
        tags: { type: 'array', items: text },
        security: { type: 'array', items: mapOf({ type: 'array', items: text }) },
        parameters: { type: 'array', items: ref('parameter') },
        requestBody: closed({ required: { type: 'boolean' }, description: text, content }, 'content'),
        responses: mapOf(ref('response'), '^[1-5][0-9][0-9]$'),
      },
      'operationId',
      'responses',
    ),
    parameter: {
      ...closed(
        {
          name: text,
          in: { enum: ['path', 'query', 'header'] },
          required: { type: 'boolean' },
          description: text,
          schema,
          example: true,
        },
        'name',
        'in',
        'schema',
      ),
      if: { properties: { in: { const: 'path' } } },
      then: { properties: { required: { const: true } }, required: ['required'] },
    },
    response: closed(
      { description: text, headers: mapOf({ anyOf: [reference, header] }), content },
      'description',
    ),
  },
};
