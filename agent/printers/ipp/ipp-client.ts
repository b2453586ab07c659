import { Readable } from 'node:stream';
import { userInfo } from 'node:os';
import { Agent, request, type buildConnector } from 'undici';
import {
  decodeResponse,
  encodeRequest,
  IppMalformed,
  Tag,
  type IppAttribute,
  type IppAttributes,
  type IppGroup,
  type IppResponse,
} from './ipp-message.js';

/** The spooler rejected the request and did nothing. */
export class IppRefused extends Error {
  constructor(
    readonly operation: number,
    readonly status: number,
    statusMessage: string,
    /** Attributes that the printer does not support. */
    readonly unsupported?: IppAttributes,
  ) {
    super(`IPP 0x${operation.toString(16)} refused: 0x${status.toString(16)} ${statusMessage}`);
    this.name = 'IppRefused';
  }
}

/** A CUPS server with 500 queues answers with about 5 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Time of a call without a document: the deadline of a hand-off watches one with a document. */
const LIMIT_MS = 60_000;

export const NOT_FOUND = 0x0406;
/** server-error-busy, RFC 8011 B.1.5.8. */
export const BUSY = 0x0507;

export interface IppCall {
  operation: number;
  /** HTTP path, by which CUPS applies its access rules. */
  path?: string;
  /** Target of the operation: `/` for the server, `/printers/<queue>` … */
  target?: string;
  attributes?: IppAttribute[];
  groups?: IppGroup[];
  /** Without a size it is sent in chunks of HTTP. */
  document?: { chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>; size?: number };
  /** Ends a hand-off. Such a call has its own connection, so that no queue holds up another. */
  signal?: AbortSignal;
}

export interface IppServer {
  /** `http://127.0.0.1:631`; with a socket path used only for the Host header. */
  origin: string;
  socketPath?: string;
  /** Beginning of `printer-uri`, of a printer; default `ipp://localhost`, for CUPS. */
  uri?: string;
  authorization?: string;
  connector?: buildConnector.connector;
}

/** `host:port`, or the path of a unix socket. */
export function ippServer(address: string): IppServer {
  return address.startsWith('/')
    ? { origin: 'http://localhost', socketPath: address }
    : { origin: `http://${address}` };
}

/** IPP over HTTP to one CUPS server or printer, as the user of the agent process. */
export class IppClient {
  private readonly connections: Agent;
  private readonly handOffs: Agent;
  private readonly user = userInfo().username;

  constructor(private readonly server: IppServer) {
    const { socketPath, connector, uri } = server;
    const connect = connector ?? { timeout: 5000, socketPath };
    // Printers close idle connections without notice: each call to one has its own.
    const pipelining = uri === undefined ? 1 : 0;
    this.connections = new Agent({ connections: 4, connect, pipelining });
    this.handOffs = new Agent({ connect, pipelining });
  }

  async execute(call: IppCall): Promise<IppResponse> {
    const head = encodeRequest({ operation: call.operation, groups: this.groups(call) });
    const { document, signal } = call;
    const size = document ? document.size : 0;
    const { authorization } = this.server;
    const answer = await request(`${this.server.origin}${call.path ?? '/'}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/ipp',
        ...(size === undefined ? {} : { 'content-length': String(head.length + size) }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: document ? Readable.from(joined(head, document.chunks), { objectMode: false }) : head,
      // The deadline of a hand-off ends its calls.
      ...(signal ? { headersTimeout: 0, bodyTimeout: 0 } : { headersTimeout: 30_000, bodyTimeout: 30_000 }),
      signal: document ? signal : limited(signal),
      dispatcher: signal ? this.handOffs : this.connections,
    });
    const body = await whole(answer.body);
    if (answer.statusCode !== 200) throw new IppRefused(call.operation, answer.statusCode, 'as HTTP status');
    const response = decodeResponse(body);
    if (response.status >= 0x0100) {
      throw new IppRefused(
        call.operation,
        response.status,
        statusMessage(response),
        groupsOf(response, Tag.unsupported)[0],
      );
    }
    return response;
  }

  async close(): Promise<void> {
    await Promise.all([this.connections.destroy(), this.handOffs.destroy()]);
  }

  private groups({ target = '/', attributes = [], groups = [] }: IppCall): IppGroup[] {
    const operation: IppAttribute[] = [
      attribute('attributes-charset', Tag.charset, 'utf-8'),
      attribute('attributes-natural-language', Tag.language, 'en'),
      attribute('printer-uri', Tag.uri, `${this.server.uri ?? 'ipp://localhost'}${target}`),
      attribute('requesting-user-name', Tag.name, this.user),
      ...attributes,
    ];
    return [{ tag: Tag.operation, attributes: operation }, ...groups];
  }
}

export function attribute(name: string, tag: number, ...values: IppAttribute['values']): IppAttribute {
  return { name, tag, values };
}

export function groupsOf(response: IppResponse, tag: number): IppAttributes[] {
  return response.groups.filter((group) => group.tag === tag).map((group) => group.attributes);
}

function limited(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(LIMIT_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new IppMalformed(`it has more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function statusMessage(response: IppResponse): string {
  return String(groupsOf(response, Tag.operation)[0]?.get('status-message')?.[0] ?? '');
}

async function* joined(
  head: Buffer,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield head;
  yield* chunks;
}
