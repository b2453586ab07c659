import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
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

/**
 * Base address of the API, ending in `/v1`, from an address with or without it.
 * @throws InvalidArgumentError if the text is not an http(s) address
 */
export function apiAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('must be an address such as http://127.0.0.1:3000');
  const segments = url.pathname.split('/').filter(Boolean);
  if (segments.at(-1) !== 'v1') segments.push('v1');
  return [url.origin, ...segments].join('/');
}

/** Relative to src/cli and dist/src/cli. */
const PACKAGE_FILES = ['../../package.json', '../../../package.json'];

/** `version` of package.json; undefined if the file is missing. */
export function ownVersion(): string | undefined {
  const file = PACKAGE_FILES.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  return file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
