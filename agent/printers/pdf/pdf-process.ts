import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fontFolders } from '../../config.js';
import { Places } from '../../places.js';
import { NotSubmitted } from '../provider.js';
import type { arrange, pageSizes } from './page-arranger.js';
import type { needsDrawing, picturedPages, PictureSettings } from './pictured-pages.js';
import type { checkDrawable, pwgRaster } from './pwg-raster.js';

/** What is done with a PDF before its hand-off. `moved` is called after each page. */
export interface PdfTool {
  readonly pageSizes: typeof pageSizes;
  readonly arrange: typeof arrange;
  readonly checkDrawable: (bytes: Uint8Array, moved: () => void) => ReturnType<typeof checkDrawable>;
  readonly needsDrawing: (bytes: Uint8Array, moved: () => void) => ReturnType<typeof needsDrawing>;
  readonly picturedPages: (
    bytes: Uint8Array,
    settings: PictureSettings,
    moved: () => void,
  ) => ReturnType<typeof picturedPages>;
}

/** Runs `use` with a tool that is gone afterwards. */
export type WithPdf = <T>(signal: AbortSignal, use: (pdf: PdfTool) => Promise<T>) => Promise<T>;
/** Draws what `checkDrawable` has passed. */
export type DrawRaster = (
  signal: AbortSignal,
  ...args: Parameters<typeof pwgRaster>
) => AsyncIterable<Uint8Array>;

type Calls = Pick<PdfTool, 'pageSizes' | 'arrange'> & {
  readonly checkDrawable: (bytes: Uint8Array) => Promise<void>;
  readonly needsDrawing: (bytes: Uint8Array) => Promise<boolean>;
  readonly picturedPages: (bytes: Uint8Array, settings: PictureSettings) => Promise<Uint8Array | undefined>;
  readonly pwgRaster: (...args: Parameters<typeof pwgRaster>) => Promise<void>;
};
export type Call = { [Name in keyof Calls]: { call: Name; args: Parameters<Calls[Name]> } }[keyof Calls];
/** An error with the fields of `NotSubmitted` if it is one. */
export type Answer =
  | { readonly moved: true }
  | { readonly result: unknown }
  | {
      readonly error: string;
      readonly failureCode?: string;
      readonly failureClass?: NotSubmitted['failureClass'];
    };

/** Time of one call or page, or until the next bytes of raster: shorter than the deadline of a hand-off, which blames the printer. */
const LIMIT_MS = 45_000;
/** Processes at once: each needs time and memory. */
const places = new Places(4);
const PROGRAM = fileURLToPath(new URL('./pdf-program.js', import.meta.url));

/**
 * A PDF is read in a process of its own (docs/decisions/081-documents-in-their-own-process.md), whose memory is bounded.
 * @throws NotSubmitted if the process ends by itself or takes too long
 */
export const inOwnProcess = <T>(
  signal: AbortSignal,
  use: (pdf: PdfTool) => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> =>
  withProcess(signal, async (child) => {
    const call = async (message: Call, moved?: () => void): Promise<never> => {
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
      const onMoved = (): void => void (timer.refresh(), moved?.());
      return answerTo(child, message, onMoved).finally(() => clearTimeout(timer)) as Promise<never>;
    };
    try {
      return await use({
        pageSizes: (...args) => call({ call: 'pageSizes', args }),
        arrange: (...args) => call({ call: 'arrange', args }),
        checkDrawable: (bytes, moved) => call({ call: 'checkDrawable', args: [bytes] }, moved),
        needsDrawing: (bytes, moved) => call({ call: 'needsDrawing', args: [bytes] }, moved),
        picturedPages: (bytes, settings, moved) =>
          call({ call: 'picturedPages', args: [bytes, settings] }, moved),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof NotSubmitted
        ? error
        : new NotSubmitted('RENDER_FAILED', `cannot lay out this PDF: ${String(error)}`, 'permanent');
    }
  });

/** The process waits while its reader does. */
export const rasterInOwnProcess: DrawRaster = async function* (signal, ...args) {
  const { child, leave } = await enter('pipe', signal);
  const limit = (): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let timer = limit();
  try {
    const drawn = answerTo(child, { call: 'pwgRaster', args });
    drawn.catch(() => undefined);
    for await (const bytes of child.stdout!) {
      clearTimeout(timer);
      yield bytes as Buffer;
      timer = limit();
    }
    await drawn;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NotSubmitted
      ? error
      : new NotSubmitted('RENDER_FAILED', `cannot draw this PDF: ${String(error)}`, 'permanent');
  } finally {
    clearTimeout(timer);
    leave();
  }
};

async function withProcess<T>(signal: AbortSignal, use: (child: ChildProcess) => Promise<T>): Promise<T> {
  const { child, leave } = await enter('ignore', signal);
  return use(child).finally(leave);
}

/** An abort ends the process, too. @throws the reason of an abort */
async function enter(
  output: 'pipe' | 'ignore',
  signal: AbortSignal,
): Promise<{ child: ChildProcess; leave: () => void }> {
  const free = await places.take(signal);
  let child: ChildProcess | undefined;
  const leave = (): void => {
    signal.removeEventListener('abort', leave);
    child?.kill('SIGKILL');
    free();
  };
  try {
    signal.throwIfAborted();
    child = fork(PROGRAM, fontFolders(), {
      execArgv: ['--max-old-space-size=256'],
      serialization: 'advanced',
      stdio: ['ignore', output, 'ignore', 'ipc'],
    });
  } catch (error) {
    leave();
    throw error;
  }
  child.on('error', () => undefined); // It also ends then.
  signal.addEventListener('abort', leave, { once: true });
  return { child, leave };
}

async function answerTo(child: ChildProcess, message: Call, moved?: () => void): Promise<unknown> {
  const answer = new Promise<Exclude<Answer, { moved: true }>>((resolve) => {
    const receive = (value: Answer): void => {
      if ('moved' in value) return moved?.();
      child.off('message', receive);
      resolve(value);
    };
    child.on('message', receive);
    const lost = (): void =>
      resolve({ error: 'it takes too much time or memory', failureCode: 'RENDER_FAILED' });
    child.once('close', lost).once('error', lost);
  });
  await promisify((sent: (error: Error | null) => void) => child.send(message, sent))();
  const value = await answer;
  if ('result' in value) return value.result;
  if (value.failureCode === undefined) throw new Error(value.error);
  throw new NotSubmitted(value.failureCode, value.error, value.failureClass ?? 'permanent');
}
