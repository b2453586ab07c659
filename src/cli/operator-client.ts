import { ownVersion } from './own-version.js';
import { connectionRemedy, remedies } from './remedies.js';

/** A command failed. */
export class CallFailed extends Error {
  constructor(
    message: string,
    /** The remedy, in one sentence. */
    readonly next: string,
    /** Error code of the service, if it answered. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path below /operator, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Client of `/v1/operator`. */
export class OperatorClient {
  constructor(
    /** Base address ending in `/v1`. */
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** The `data` of the answer. @throws CallFailed */
  async call(call: Call): Promise<unknown> {
    const response = await this.send(call);
    const text = await response.text();
    const envelope = parsed(text) as { code?: string; data?: unknown } | undefined;
    if (envelope?.code === undefined) throw this.foreign(response.status, text);
    return envelope.data;
  }

  /** An answer without envelope. @throws CallFailed */
  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send({ method: 'GET', path })).arrayBuffer());
  }

  private async send({ method, path, query, body }: Call): Promise<Response> {
    const target = new URL(`${this.url}/operator${path}`);
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
      const reason = error.cause instanceof Error && error.cause.message;
      throw new CallFailed(
        `${target.origin} cannot be reached: ${reason || error.message}`,
        connectionRemedy(error.cause ?? error, this.url),
      );
    });
    if (!response.ok) throw this.refusal(response, await response.text());
    return response;
  }

  private refusal({ status, headers }: Response, text: string): CallFailed {
    const { code, message, request_id } = (parsed(text) ?? {}) as Record<string, string | undefined>;
    if (!code) return this.foreign(status, text);
    return new CallFailed(
      `${code} (${status}): ${message}${request_id ? ` [request ${request_id}]` : ''}`,
      releaseRemedy(code, headers.get('x-svc-version')) ?? remedies[code] ?? 'Look into docs/operations.md.',
      code,
    );
  }

  private foreign(status: number, text: string): CallFailed {
    return new CallFailed(
      `answered ${status}, and not as the operator surface does: ${text.slice(0, 200)}`,
      `Check --url: a proxy or another program answers at ${this.url}.`,
    );
  }
}

/** Remedy for an unknown route if service and rps are of different releases. */
function releaseRemedy(code: string, service: string | null): string | undefined {
  const own = ownVersion();
  const lacking = code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED';
  if (!lacking || service === null || own === undefined || service === own) return undefined;
  return `The service is release ${service}, rps is ${own}: use the rps of the service's release.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
