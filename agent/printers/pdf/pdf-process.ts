import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NotSubmitted } from '../provider.js';
import type { arrange, pageSizes } from './page-arranger.js';

/** What is done with a PDF before its hand-off. */
export interface PdfTool {
  readonly pageSizes: typeof pageSizes;
  readonly arrange: typeof arrange;
}

/** Runs `use` with a tool that is gone afterwards. */
export type WithPdf = <T>(signal: AbortSignal, use: (pdf: PdfTool) => Promise<T>) => Promise<T>;

export type Call = {
  [Name in keyof PdfTool]: { call: Name; args: Parameters<PdfTool[Name]> };
}[keyof PdfTool];
export type Answer = { readonly result: unknown } | { readonly error: string };

/** Time of one call: shorter than the deadline of a hand-off, which blames the printer. */
const LIMIT_MS = 45_000;
/** Processes at once: each needs time and memory. */
const PLACES = 4;
const PROGRAM = fileURLToPath(new URL('./pdf-program.js', import.meta.url));

let places = PLACES;
const waiting: (() => void)[] = [];

/**
 * A PDF is read in a process of its own (docs/decisions/081-documents-in-their-own-process.md), whose memory is bounded.
 * @throws NotSubmitted if the process ends by itself or takes too long
 */
export const inOwnProcess: WithPdf = async (signal, use) => {
  if (--places < 0) await new Promise<void>((enter) => waiting.push(enter));
  const child = fork(PROGRAM, {
    execArgv: ['--max-old-space-size=256'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const end = (): void => void child.kill('SIGKILL');
  const ended = new Promise<void>((resolve) => child.once('close', resolve).once('error', () => resolve()));
  const call = async (message: Call): Promise<never> => {
    const timer = setTimeout(end, LIMIT_MS);
    try {
      const answer = new Promise<Answer>((resolve) =>
        child.once('message', (value) => resolve(value as Answer)),
      );
      await promisify((sent: (error: Error | null) => void) => child.send(message, sent))();
      const lost = ended.then((): Answer => ({ error: 'it takes too much time or memory' }));
      const value = await Promise.race([answer, lost]);
      if ('error' in value) throw new Error(value.error);
      return value.result as never;
    } finally {
      clearTimeout(timer);
    }
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await use({
      pageSizes: (...args) => call({ call: 'pageSizes', args }),
      arrange: (...args) => call({ call: 'arrange', args }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NotSubmitted
      ? error
      : new NotSubmitted('RENDER_FAILED', `cannot lay out this PDF: ${String(error)}`, 'permanent');
  } finally {
    signal.removeEventListener('abort', end);
    end();
    places++;
    waiting.shift()?.();
  }
};
