import { Agent, request, type Dispatcher } from 'undici';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined if empty. */
  readonly body: {
    code?: string;
    message?: string;
    data?: Record<string, unknown>;
    [field: string]: unknown;
  };
}

export interface Call {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

/**
 * A thousand requests at once may wait for their connections on a busy machine. Unused connections end here long before
 * the service ends them after 72 seconds: a busy process may hear of that when it has sent the next request.
 */
const dispatcher = new Agent({ connect: { timeout: 120_000 }, keepAliveMaxTimeout: 30_000 });

/** HTTP client for tests, with parsed answers. Not `fetch`, which takes a millisecond more for each request. */
export const clientOf =
  (url: string) =>
  async (method: string, path: string, { as, headers, json, raw }: Call = {}): Promise<Answered> => {
    const body = json === undefined ? raw : JSON.stringify(json);
    const response = await request(url + path, {
      method: method as Dispatcher.HttpMethod,
      dispatcher,
      body,
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.body.text();
    const received = headersOf(response.headers);
    const isJson = received.get('content-type')?.startsWith('application/json');
    return {
      status: response.statusCode,
      headers: received,
      text,
      body: isJson && text ? JSON.parse(text) : {},
    };
  };

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received))
    for (const value of [values].flat()) headers.append(name, value);
  return headers;
}
