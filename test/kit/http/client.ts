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

/** HTTP client for tests, with parsed answers. */
export const clientOf =
  (url: string) =>
  async (method: string, path: string, { as, headers, json, raw }: Call = {}): Promise<Answered> => {
    const body = json === undefined ? raw : JSON.stringify(json);
    const response = await fetch(url + path, {
      method,
      body: body as NonNullable<RequestInit['body']> | undefined,
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : {},
    };
  };
