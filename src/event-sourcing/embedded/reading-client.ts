import { Worker } from 'node:worker_threads';
import { messageOf, StoreDamagedError, UnavailableError } from '../../kernel/errors.js';
import type { ReadingThread } from '../ports/stores.js';

export interface ReadFolder {
  readonly dataDir: string;
  readonly readingUrl: string;
}

/** Classes of errors do not cross threads. */
export type Answer =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'damaged' | 'unavailable' | 'failed'; readonly message: string };

/** Pages of texts die young. With 2 MB, collections were 6 % of what a create costs; 32 MB are no faster than 16. */
const YOUNG_GENERATION_MB = 16;

export class ReadingClient implements ReadingThread {
  private worker: Worker | undefined;
  private isClosed = false;
  private answered: (answer: Answer) => void = () => undefined;

  constructor(
    private readonly folder: ReadFolder,
    private readonly onDamage: (error: StoreDamagedError) => void,
  ) {}

  async call(request: unknown): Promise<unknown> {
    if (this.isClosed) throw new UnavailableError('the stores are closed', 'not_written');
    const worker = (this.worker ??= this.start());
    const answer = await new Promise<Answer>((resolve) => {
      this.answered = resolve;
      worker.postMessage(request);
    });
    if (answer.kind === 'done') return answer.result;
    throw this.errorOf(answer);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./reading-thread.js', import.meta.url), {
      workerData: this.folder,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    let reason = 'it was ended';
    worker.on('message', (answer: Answer) => this.answered(answer));
    worker.on('error', (error) => (reason = messageOf(error)));
    worker.on('exit', () => {
      this.worker = undefined;
      this.answered({ kind: 'unavailable', message: `the reading thread ended: ${reason}` });
    });
    return worker;
  }

  private errorOf({ kind, message }: Exclude<Answer, { kind: 'done' }>): Error {
    if (kind === 'unavailable') return new UnavailableError(message);
    if (kind === 'failed') return new Error(message);
    const damage = new StoreDamagedError(message);
    this.onDamage(damage);
    return damage;
  }
}
