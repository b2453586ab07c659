import { EventEmitter } from 'node:events';
import { DocumentProcesses } from '../../../agent/printers/winspool/document-processes.js';
import type { Notice, Order } from '../../../agent/printers/winspool/document-messages.js';
import type { ServerProcess } from '../../../agent/printers/winspool/document-process.js';
import { DocumentServer } from '../../../agent/printers/winspool/document-server.js';
import type { SpoolerApi } from '../../../agent/printers/winspool/spooler-api.js';

/** A process for documents that runs in this one, with messages that are copied as between processes. */
export class DocumentProcessInMemory implements ServerProcess {
  private readonly agentSide = new EventEmitter();
  private readonly ownSide = new EventEmitter();
  isRunning = true;

  constructor(spooler: SpoolerApi) {
    const send = (notice: Notice): void => this.deliver(this.agentSide, notice);
    new DocumentServer({ send, on: (event, listener) => this.ownSide.on(event, listener) }, () =>
      Promise.resolve(spooler),
    );
  }

  send(order: Order, sent: (error: Error | null) => void): void {
    this.deliver(this.ownSide, order);
    queueMicrotask(() => sent(this.isRunning ? null : new Error('the process has ended')));
  }

  on(event: string, listener: (message: Notice) => void): void {
    this.agentSide.on(event, listener);
  }

  /** What it was doing goes on unseen. */
  kill(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    queueMicrotask(() => this.agentSide.emit('exit'));
  }

  private deliver(side: EventEmitter, message: Order | Notice): void {
    const copy = structuredClone(message);
    queueMicrotask(() => this.isRunning && side.emit('message', copy));
  }
}

/** Processes for the documents of one spooler, with those that were started. */
export function documentProcessesInMemory(spooler: SpoolerApi): {
  readonly processes: DocumentProcesses;
  readonly started: DocumentProcessInMemory[];
} {
  const started: DocumentProcessInMemory[] = [];
  const processes = new DocumentProcesses(() => {
    const process = new DocumentProcessInMemory(spooler);
    started.push(process);
    return process;
  });
  return { processes, started };
}
