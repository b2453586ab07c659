import { Body, Controller, Module, Param, Query } from '@nestjs/common';
import { agent } from '../../../src/api/agent/agent.surface.js';
import { integration } from '../../../src/api/integration/integration.surface.js';
import { partner } from '../../../src/api/partner/partner.surface.js';
import { noContent, notModified } from '../../../src/http/answer.js';
import type { Principal } from '../../../src/http/authentication.js';
import { ApiError } from '../../../src/http/errors/api-error.js';
import { created, ok, Operation } from '../../../src/http/operation.js';
import { Caller, type Calling, IdempotencyKey } from '../../../src/http/request.js';
import { Field } from '../../../src/http/validation/field.js';
import { printContent, type PrintContent } from '../../../src/http/validation/print-content.js';
import { dateTime, integer, listOf, object, oneOf, text, uuid } from '../../../src/http/validation/rules.js';
import { UnavailableError } from '../../../src/kernel/errors.js';

export const DEMO_ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';

class Thing {
  @Field(uuid()) thing_id!: string;
  @Field(text({ max: 40 }), { optional: true, nullable: true, example: 'A thing' }) name?: string | null;
}

class ListThings {
  @Field(oneOf('open', 'done'), { optional: true }) status?: string;
  @Field(uuid(), { optional: true }) printer_id?: string;
  @Field(integer(1, 100), { optional: true, default: 25 }) limit = 25;
}

class Line {
  @Field(uuid()) line_id!: string;
  @Field(integer(1, 9)) count!: number;
}

class CreateThing {
  @Field(uuid()) printer_id!: string;
  @Field(printContent()) content!: PrintContent;
  @Field(integer(1, 20), { optional: true, default: 1 }) copies = 1;
  @Field(text({ max: 160 }), { optional: true }) title?: string;
  @Field(dateTime(), { optional: true }) expires_at?: string;
}

class SendLines {
  @Field(
    listOf(
      object(() => Line),
      { min: 1, max: 3 },
    ),
  )
  lines!: Line[];
}

class Reason {
  @Field(text({ max: 500 }), { optional: true }) reason?: string;
}

@Controller()
export class DemoIntegration {
  @Operation({
    id: 'listThings',
    surface: integration,
    route: 'GET /v1/demo-things',
    summary: 'List things',
    scopes: ['things:read'],
    limit: { perMinute: 120 },
    query: ListThings,
    success: ok('A page of things.', Thing, { list: 'page' }),
  })
  list(@Query() query: ListThings) {
    const items = [{ thing_id: query.printer_id ?? DEMO_ID }];
    return { items, count: 1, total: 1, limit: query.limit, offset: 0 };
  }

  @Operation({
    id: 'getThing',
    surface: integration,
    route: 'GET /v1/demo-things/:job_id',
    summary: 'Read a thing',
    scopes: ['things:read'],
    params: { job_id: 'SVC_JOB_NOT_FOUND' },
    success: ok('The thing.', Thing),
  })
  get(@Param('job_id') id: string) {
    return { thing_id: id };
  }

  @Operation({
    id: 'createThing',
    surface: integration,
    route: 'POST /v1/demo-things',
    summary: 'Create a thing',
    scopes: ['things:write'],
    limit: { perMinute: 60 },
    body: CreateThing,
    carriesContent: true,
    idempotencyKey: true,
    success: [
      created('Created.', { type: 'object' }, { code: 'SVC_JOB_CREATED' }),
      ok('Replayed.', { type: 'object' }, { code: 'SVC_JOB_IDEMPOTENT_REPLAY' }),
    ],
    errors: ['SVC_PRINTER_NOT_READY'],
  })
  create(@Body() body: CreateThing, @IdempotencyKey() key: string, @Caller() { by: origin }: Calling) {
    const { content, ...rest } = body;
    const { sha256, size, type } = content;
    return { ...rest, type, sha256, size, key, origin };
  }

  @Operation({
    id: 'sendLines',
    surface: integration,
    route: 'POST /v1/demo-lines',
    summary: 'Nested objects',
    scopes: ['things:write'],
    body: SendLines,
    success: ok('Sent.', SendLines),
  })
  lines(@Body() body: SendLines) {
    return body;
  }

  @Operation({
    id: 'testThing',
    surface: integration,
    route: 'POST /v1/demo-things/:job_id/test',
    summary: 'No body',
    scopes: ['things:read', 'things:write'],
    params: { job_id: 'SVC_JOB_NOT_FOUND' },
    success: { status: 202, description: 'Accepted.', type: { type: 'object' } },
  })
  test(@Caller() caller: Principal) {
    return { account_id: caller.accountId };
  }

  @Operation({
    id: 'failThing',
    surface: integration,
    route: 'GET /v1/demo-failures/:how',
    summary: 'Throws',
    scopes: ['things:read'],
    params: { how: { notFound: 'SVC_JOB_NOT_FOUND', pattern: /^[a-z]+$/ } },
    success: { status: 204, description: 'Never.' },
  })
  fail(@Param('how') how: string) {
    if (how === 'store') throw new UnavailableError('disk gone');
    if (how === 'bug') throw new Error('a detail of the bug');
    if (how === 'foreign') throw new ApiError('DEVICE_NOT_FOUND');
    if (how === 'not') return notModified({ etag: 'W/"1"' });
    return noContent();
  }
}

@Controller()
export class DemoManaged {
  @Operation({
    id: 'deactivate',
    surface: partner,
    route: 'POST /v1/accounts/:account_id/deactivate',
    summary: 'Optional body',
    scopes: ['accounts:write'],
    limit: { perMinute: 30 },
    params: { account_id: 'ACCOUNT_NOT_FOUND' },
    body: Reason,
    bodyOptional: true,
    success: ok('Done.', { type: 'object' }),
  })
  deactivate(@Body() body: Reason) {
    return { ...body };
  }

  @Operation({
    id: 'enroll',
    surface: partner,
    route: 'POST /v1/managed/enroll',
    summary: 'No credential; limited by its subject',
    auth: 'none',
    limit: { perMinute: 2, key: (request) => (request.body as Reason).reason ?? '' },
    body: Reason,
    success: ok('Done.', { type: 'object' }),
    errors: ['ENROLLMENT_TOKEN_INVALID'],
  })
  enroll(@Body() body: Reason) {
    if (body.reason === 'wrong') throw new ApiError('ENROLLMENT_TOKEN_INVALID');
    return {};
  }

  @Operation({
    id: 'heartbeat',
    surface: agent,
    route: 'POST /v1/agent/heartbeat',
    summary: 'Agent',
    body: Reason,
    success: ok('Done.', { type: 'object' }),
  })
  heartbeat() {
    return {};
  }

  @Operation({
    id: 'poll',
    surface: agent,
    route: 'POST /v1/agent/polls',
    summary: 'Changed or not',
    body: Reason,
    success: [ok('Changed.', { type: 'object' }), { status: 304, description: 'The same.' }],
  })
  poll(@Body() { reason }: Reason) {
    return reason === 'same' ? notModified({ etag: 'W/"1"' }) : {};
  }
}

@Module({ controllers: [DemoIntegration, DemoManaged] })
export class DemoModule {}
