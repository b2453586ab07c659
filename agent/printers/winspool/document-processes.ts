import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fontFolders } from '../../config.js';
import { Places } from '../../places.js';
import { DocumentProcess, type ServerProcess } from './document-process.js';
import { refuse } from './document-server.js';

/** Documents that are drawn at once: each needs time and memory, and a queue that hangs leaves places to others. */
const MAX_DRAWN = 8;
/** A printer of labels starts no process for each. */
const IDLE_MS = 30_000;
const PROGRAM = fileURLToPath(new URL('./document-program.js', import.meta.url));

/**
 * Starts the Agent's own program for documents, whose JavaScript is bounded here and PDFium there. Drawing gives way to
 * the Agent and to documents that are not drawn.
 */
export function forkServer(drawn: boolean, program = PROGRAM): ServerProcess {
  const child = fork(program, drawn ? fontFolders() : [], {
    execArgv: ['--max-old-space-size=256'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  if (drawn && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}

/** Processes of documents. Those that draw wait in turn for a place; the others never wait. */
export class DocumentProcesses {
  private readonly places = new Places(MAX_DRAWN);
  private readonly kept = new Map<string, { process: DocumentProcess; timer: NodeJS.Timeout }>();

  constructor(
    private readonly start = (drawn: boolean): ServerProcess => forkServer(drawn),
    private readonly limitSeconds?: number,
  ) {}

  /**
   * The process that is kept for the printer, or a new one. Afterwards `keep` or end it.
   * @param drawing signal of a document that is drawn, which ends its wait for a place
   */
  async take(printer: string, drawing?: AbortSignal): Promise<DocumentProcess> {
    const drawn = drawing !== undefined;
    const kept = this.unkeep(printer);
    if (kept?.drawn === drawn) return kept;
    kept?.end();
    const leave = drawing && (await this.places.take(drawing));
    try {
      const process = new DocumentProcess(this.start(drawn), drawn, this.limitSeconds);
      void process.ended.then(leave);
      return process;
    } catch (error) {
      leave?.();
      return refuse(error);
    }
  }

  /** Keeps a process for the next document of its printer, for a while. */
  keep(printer: string, process: DocumentProcess): void {
    this.unkeep(printer)?.end();
    const timer = setTimeout(() => process.end(), IDLE_MS).unref();
    this.kept.set(printer, { process, timer });
    void process.ended.then(() => {
      if (this.kept.get(printer)?.process === process) this.unkeep(printer);
    });
  }

  private unkeep(printer: string): DocumentProcess | undefined {
    const kept = this.kept.get(printer);
    clearTimeout(kept?.timer);
    this.kept.delete(printer);
    return kept?.process;
  }
}
