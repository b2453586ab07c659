import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { RemotePrinting } from '../sdk/src/index.js';
import { Documents } from './documents.js';
import { serverOf, type ServerOptions } from './tools.js';

/** One message of a client, and how to serve it. */
export interface Exchange extends ServerOptions {
  /** JSON-RPC. */
  readonly message: object;
  readonly apiKey: string;
  /** Reaches the Integration API. */
  readonly fetch: typeof fetch;
  /** Header `Mcp-Session-Id`: the name of a conversation. */
  readonly session: string | undefined;
  /** Header `MCP-Protocol-Version`. */
  readonly protocol: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON-RPC; undefined for a message that has no answer. */
  readonly body: string | undefined;
}

/** Any host: the requests leave by `fetch` of the exchange. */
const BASE_URL = 'http://localhost/v1';

/**
 * Answers one message and keeps nothing: a conversation is only a name, given at its beginning, which makes repeats in it
 * the same job.
 */
export async function replyTo(exchange: Exchange): Promise<Reply> {
  const { message, apiKey, fetch, session, protocol } = exchange;
  // A refusal goes to the client, which knows best when to repeat.
  const client = new RemotePrinting({ apiKey, fetch, baseUrl: BASE_URL, maxRetries: 0 });
  const server = serverOf(client, new Documents(apiKey, session, undefined), exchange);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(protocol !== undefined && { 'mcp-protocol-version': protocol }),
    };
    const request = new Request(BASE_URL, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: message });
    const begun = isInitializeRequest(message) && response.ok;
    return {
      status: response.status,
      headers: {
        ...(response.body && { 'content-type': 'application/json; charset=utf-8' }),
        ...(begun && { 'mcp-session-id': randomUUID() }),
      },
      body: response.body ? await response.text() : undefined,
    };
  } finally {
    await server.close();
  }
}
