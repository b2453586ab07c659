import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rps } from '../../src/cli/program.js';

interface Seen {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly account: string | undefined;
  readonly body: unknown;
}

export const ok = (data: unknown) => ({ status: 200, body: { code: 'OK', data } });

/** `rps` against a server whose answers a spec writes; without one it answers `{}`. */
export class RpsScene {
  seen: Seen[] = [];
  answers: { readonly status: number; readonly body: unknown }[] = [];
  /** Release of the service. */
  version = '2.0.59';
  /** Holds an operator token. */
  readonly folder = mkdtempSync(join(tmpdir(), 'rps-cli-'));
  private readonly server: Server;

  private constructor() {
    writeFileSync(join(this.folder, 'operator-token'), 'svc_operator_from_file\n');
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        this.note(request, text);
        const { status, body } = this.answers.shift() ?? ok({});
        response.writeHead(status, { 'content-type': 'application/json', 'x-svc-version': this.version });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
  }

  static async open(): Promise<RpsScene> {
    const scene = new RpsScene();
    await new Promise<void>((resolve) => scene.server.listen(0, '127.0.0.1', resolve));
    return scene;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  reset(): void {
    this.seen = [];
    this.answers = [];
  }

  async run(line: string, options = ['--url', this.url, '--data-dir', this.folder], readable = false) {
    let [out, err] = ['', ''];
    const code = await rps([...options, ...line.split(' ')], {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      readable,
    });
    return { code, out, err };
  }

  onTerminal(line: string) {
    return this.run(line, undefined, true);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.folder, { recursive: true });
  }

  private note({ method, url, headers }: IncomingMessage, text: string): void {
    this.seen.push({
      line: `${method} ${url}`,
      authorization: headers.authorization,
      account: headers['x-svc-account'] as string | undefined,
      body: text ? JSON.parse(text) : undefined,
    });
  }
}
