import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  NotSubmitted,
  type PrinterProvider,
  type PrintRequest,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../../../agent/printers/provider.js';
import type { InventoryPrinter } from '../../../agent/service/protocol.js';
import { until } from '../polling.js';
import { windowsPath, type WindowsProcess, type Wine } from './wine.js';

interface Call {
  readonly progress?: SubmitProgress;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Failure {
  readonly name: string;
  readonly message: string;
  readonly failureCode: string;
  readonly failureClass: 'temporary' | 'permanent';
}

/** The winspool provider, running in Node for Windows (test/kit/windows/provider-host.mjs). */
export class RemoteProvider implements PrinterProvider {
  readonly name = 'winspool';
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly host: WindowsProcess,
  ) {
    createInterface({ input: socket }).on('line', (line) => this.receive(line));
  }

  /** `special` names the queue that takes PDF itself, but no text. */
  static async start(wine: Wine, special: string): Promise<RemoteProvider> {
    const portFile = join(wine.root, `port-${Date.now()}`);
    const host = wine.node(
      'test/kit/windows/provider-host.mjs',
      windowsPath(resolve('dist')),
      windowsPath(portFile),
      special,
    );
    const port = await until('the provider under Wine', 60_000, async () => {
      if (host.child.exitCode !== null) throw new Error(`the provider ended: ${await host.output()}`);
      return (await readFile(portFile, 'utf8').catch(() => '')) || undefined;
    });
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    return new RemoteProvider(socket, host);
  }

  async stop(): Promise<void> {
    this.socket.destroy();
    await this.host.ended;
  }

  inventory(): Promise<InventoryPrinter[]> {
    return this.call('inventory', []);
  }

  epoch(): Promise<string> {
    return this.call('epoch', []);
  }

  admit(request: PrintRequest): Promise<void> {
    return this.call('admit', [sendable(request)]);
  }

  /** The signal of `progress` stays here, and nothing is called for each chunk. */
  submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    return this.call('submit', [sendable(request)], progress);
  }

  find(documentName: string, spoolerJobId?: string): Promise<Sighting> {
    return this.call('find', spoolerJobId === undefined ? [documentName] : [documentName, spoolerJobId]);
  }

  withdraw(spoolerJobId: string): Promise<void> {
    return this.call('withdraw', [spoolerJobId]);
  }

  forget(documentName: string): Promise<void> {
    return this.call('forget', [documentName]);
  }

  private call<T>(call: string, args: unknown[], progress?: SubmitProgress): Promise<T> {
    const id = ++this.lastCall;
    return new Promise<T>((resolve, reject) => {
      this.calls.set(id, { progress, resolve: resolve as (value: unknown) => void, reject });
      this.send({ id, call, args });
    });
  }

  private receive(line: string): void {
    const { id, step, callback, value, result, error } = JSON.parse(line) as Record<string, unknown>;
    const call = this.calls.get(Number(id));
    if (step !== undefined) {
      const done = step === 'created' ? call?.progress?.created(String(value)) : call?.progress?.halfway();
      done?.then(
        () => this.send({ callback }),
        (reason: unknown) => this.send({ callback, error: String(reason) }),
      );
      return;
    }
    this.calls.delete(Number(id));
    if (error === undefined) call?.resolve(result);
    else call?.reject(failure(error as Failure));
  }

  private send(message: object): void {
    this.socket.write(`${JSON.stringify(message)}\n`);
  }
}

function sendable({ bytes, ...request }: PrintRequest): object {
  return { ...request, bytes: Buffer.from(bytes).toString('base64') };
}

function failure({ name, message, failureCode, failureClass }: Failure): Error {
  return name === 'NotSubmitted' ? new NotSubmitted(failureCode, message, failureClass) : new Error(message);
}
