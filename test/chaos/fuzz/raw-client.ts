import { Agent, request } from 'node:http';
import type { Answered } from '../../kit/http/client.js';

/** A request as sent: the path is escaped, and a list sends a header twice. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
}

/** An HTTP client that sends malformed requests, which `fetch` would correct. */
export class RawClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #host: string;
  readonly #port: string;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    [this.#host, this.#port] = [hostname, port];
  }

  send({ method, path, headers, body }: Sent): Promise<Answered> {
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    const options = { host: this.#host, port: this.#port, agent: this.#agent, method, path };
    return new Promise((resolve, reject) => {
      const asked = request({ ...options, headers: { ...headers, ...length } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const given = new Headers();
          for (const [name, value] of Object.entries(response.headers)) given.set(name, String(value));
          resolve(answered(response.statusCode!, given, Buffer.concat(chunks).toString('utf8')));
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function answered(status: number, headers: Headers, text: string): Answered {
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status, headers, text, body: isJson ? (JSON.parse(text) as Answered['body']) : {} };
}
