/** The service said no, or could not be asked. */
export class CallFailed extends Error {
  constructor(
    message: string,
    /** Of the service's refusal. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /operator, with a slash in front. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Speaks to `/v1/operator`. */
export class OperatorClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** The `data` of the answer. @throws CallFailed */
  async call(call: Call): Promise<unknown> {
    const text = await (await this.send(call)).text();
    return (parsed(text) as { data?: unknown } | undefined)?.data;
  }

  /** An answer without envelope. @throws CallFailed */
  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send({ method: 'GET', path })).arrayBuffer());
  }

  private async send({ method, path, query, body }: Call): Promise<Response> {
    const target = new URL(`${this.url.replace(/\/$/, '')}/operator${path}`);
    for (const [key, value] of Object.entries(query ?? {})) target.searchParams.set(key, value);
    const response = await fetch(target, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const cause = error.cause instanceof Error && error.cause.message;
      throw new CallFailed(`${target.origin} cannot be reached: ${cause || error.message}`);
    });
    if (!response.ok) throw refusal(response.status, await response.text());
    return response;
  }
}

function refusal(status: number, text: string): CallFailed {
  const { code, message, request_id } = (parsed(text) ?? {}) as Record<string, string | undefined>;
  if (!code)
    return new CallFailed(`answered ${status}, and not as the operator surface does: ${text.slice(0, 200)}`);
  return new CallFailed(
    `${code} (${status}): ${message}${request_id ? ` [request ${request_id}]` : ''}`,
    code,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
