/** The service said no, or could not be asked. */
export class CallFailed extends Error {}

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Below /operator, with a slash in front. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Speaks to `/v1/operator`. Answers the `data` of the envelope. */
export class OperatorClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** @throws CallFailed */
  async call({ method, path, query, body }: Call): Promise<unknown> {
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
    const text = await response.text();
    if (!response.ok) throw new CallFailed(refusal(response.status, text));
    return (parsed(text) as { data?: unknown } | undefined)?.data;
  }
}

function refusal(status: number, text: string): string {
  const { code, message, request_id } = (parsed(text) ?? {}) as Record<string, string | undefined>;
  if (!code) return `answered ${status}, and not as the operator surface does: ${text.slice(0, 200)}`;
  return `${code} (${status}): ${message}${request_id ? ` [request ${request_id}]` : ''}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
