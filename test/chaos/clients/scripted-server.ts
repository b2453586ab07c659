import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the vectors: `drop` closes the connection instead; `cut` ends it in the middle of the body; `hang` never comes. */
export interface Scripted {
  readonly hang?: true;
  readonly drop?: true;
  readonly cut?: true;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Instead of a body in JSON. */
  readonly text?: string;
}

/** Answers requests in turn with what a vector says; the last answer again and again. */
export class ScriptedServer {
  received: IncomingMessage[] = [];
  private script: readonly Scripted[] = [];
  /** In the path of its requests: one of an earlier script may come late. */
  private plays = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      if (!request.url!.startsWith(`/${this.plays}/`)) return void response.destroy();
      const {
        hang,
        drop,
        cut,
        status = 200,
        headers,
        body,
        text,
      } = this.script[Math.min(this.received.length, this.script.length - 1)]!;
      this.received.push(request);
      request.resume().on('end', () => {
        if (hang) return;
        if (drop) return void response.destroy();
        const whole = Buffer.from(text ?? (body ? JSON.stringify(body) : ''));
        response.writeHead(status, {
          'content-type': 'application/json',
          'content-length': whole.length,
          ...headers,
        });
        if (cut) response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
        else response.end(whole);
      });
    });
  }

  static async start(): Promise<ScriptedServer> {
    const started = new ScriptedServer();
    await once(started.server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${this.plays}`;
  }

  play(script: readonly Scripted[]): void {
    this.plays++;
    [this.script, this.received] = [script, []];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
