import { Body, Controller, Inject, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { BareAnswer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { releaseBody } from '../../../http/body/body-parser.js';
import { Operation } from '../../../http/operation.js';
import { Caller, onHangUp } from '../../../http/request.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { Field, optional } from '../../../http/validation/field.js';
import { constant, type Rule, text } from '../../../http/validation/rules.js';
import { Clock, type Milliseconds } from '../../../kernel/time.js';
import { Turns } from '../../turns.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

/** Of calls, which may wait for a job up to 50 seconds. One takes 70 KB and its message. */
const CALLS = { ofProcess: 512, ofAccount: 8, ofOwner: 4, waiting: 8 } as const;
/** With the wait for a job less than the minute after which clients end a call. */
const PATIENCE: Milliseconds = 5_000;
/** More than a model writes; larger documents are printed by the Integration API. */
const MAX_BYTES = 1_048_576;
const MAX_ID = 128;
/** Characters of JSON. */
const MAX_ARGUMENTS = 10_000;
/** Longest name of a conversation, which is an occasion. */
const SESSION = /^[\x21-\x7e]{1,200}$/;

const id: Rule = {
  schema: { type: ['string', 'integer'] },
  message: `must be an integer or a text of at most ${MAX_ID} characters`,
  accepts: (value) => (typeof value === 'string' ? value.length <= MAX_ID : Number.isSafeInteger(value)),
};

/** The tools check what they are given. */
const params: Rule = {
  schema: { type: 'object' },
  message: 'must be an object',
  accepts: () => true,
  readApart: (given, problems) => {
    if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
      problems.push('params must be an object');
    return given;
  },
};

/** A request or notification of JSON-RPC. The server asks nothing, so it takes no answers. */
export class McpMessage {
  @Field(constant('2.0')) jsonrpc!: '2.0';
  @Field(id, optional) id?: string | number;
  @Field(text({ max: 128 })) method!: string;
  @Field(params, optional) params?: object;
}

/** The tools of `rps mcp` for clients that speak HTTP (docs/decisions/126-mcp-over-http.md). */
@Controller()
export class McpController {
  private readonly turns: Turns;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(PRODUCT_VERSION) private readonly version: string,
    clock: Clock,
  ) {
    this.turns = new Turns('calls', CALLS, { clock, atMost: PATIENCE });
  }

  @Operation({
    id: 'callTools',
    surface: integration,
    route: 'POST /v1/mcp',
    summary: 'Answer a message of the Model Context Protocol',
    // Described by the protocol itself, `tools/list`.
    hidden: true,
    callers: ['api_key'],
    // Without one of them no tool could be offered.
    anyScope: ['jobs:read', 'printers:read', 'computers:read', 'jobs:cancel'],
    limit: { perMinute: 120 },
    maxBodyBytes: MAX_BYTES,
    body: McpMessage,
    success: [
      { status: 200, description: 'The answer.', media: 'application/json' },
      { status: 202, description: 'The notification is read.' },
    ],
  })
  async call(
    @Body() message: McpMessage,
    @Caller() { accountId, credentialId, scopes }: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    const problem = problemOf(message);
    if (problem !== undefined) throw new ApiError('invalid', problem);
    // A tool sends the document on, in a request that takes a place of its own.
    releaseBody(request);
    const end = await this.turns.take(accountId, credentialId);
    const gone = new AbortController();
    const stopListening = onHangUp(request, () => gone.abort());
    try {
      // Most services never need it, and it takes half a second to load.
      const { replyTo } = await import('../../../../mcp/http.js');
      const { authorization, 'mcp-session-id': session, 'mcp-protocol-version': protocol } = request.headers;
      const { status, body, headers } = await replyTo({
        message: given(message),
        apiKey: authorization!.slice('Bearer '.length).trim(),
        session: SESSION.test(String(session ?? '')) ? String(session) : undefined,
        protocol: protocol as string | undefined,
        version: this.version,
        may: (scope) => scopes.has(scope),
        fetch: ownFetch(this.host.httpAdapter.getInstance<FastifyInstance>(), request, gone.signal),
      });
      return new BareAnswer(status, body, headers);
    } finally {
      stopListening();
      end();
    }
  }
}

/** While a call waits, only a document may take much memory. */
function problemOf({ method, params }: McpMessage): string | undefined {
  if (method !== 'tools/call') return undefined;
  const { name, arguments: given } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  const documents = name === 'print' || name === 'prepare_print' ? ['text', 'pdf_base64'] : [];
  const others = Object.entries(given ?? {}).filter(
    ([field, value]) => !(documents.includes(field) && typeof value === 'string'),
  );
  if (JSON.stringify(others).length > MAX_ARGUMENTS)
    return `arguments must have at most ${MAX_ARGUMENTS} characters besides the document of a print`;
  return undefined;
}

/** Absent fields are undefined here, which JSON-RPC does not know. */
const given = (message: McpMessage): object =>
  Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));

/**
 * A `fetch` into this process: each operation checks and counts the request as any other. Fails once the client is gone.
 */
function ownFetch(
  fastify: FastifyInstance,
  { ip, correlationId, span }: FastifyRequest,
  gone: AbortSignal,
): typeof fetch {
  return async (url, { method, headers, body } = {}) => {
    gone.throwIfAborted();
    const { pathname, search } = new URL(url as string);
    const answered = await fastify.inject({
      method: method as HTTPMethods,
      url: pathname + search,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        'x-correlation-id': correlationId!,
        ...(span && { traceparent: span.traceparent }),
      },
      payload: body as string,
      remoteAddress: ip,
    });
    const { statusCode: status, payload } = answered;
    return new Response(status === 304 ? null : payload, {
      status,
      headers: answered.headers as Record<string, string>,
    });
  };
}
