import './bounded-memory.js';
import { once } from 'node:events';
import type { NotSubmitted } from '../provider.js';
import { arrange, pageSizes } from './page-arranger.js';
import type { Answer, Call } from './pdf-process.js';
import { needsDrawing, picturedPages } from './pictured-pages.js';
import { checkDrawable, pwgRaster } from './pwg-raster.js';

// Reads, lays out and draws a PDF. It ends with the Agent, which alone decides when. Arguments: folders with fonts.

const fonts = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message: Call) => void answer(message));

async function answer(message: Call): Promise<void> {
  let answer: Answer;
  try {
    answer = { result: await run(message) };
  } catch (error) {
    const { message: text, failureCode = codeOf(error as Error), failureClass } = error as NotSubmitted;
    answer = { error: text, failureCode, failureClass };
  }
  send(answer);
}

function send(answer: Answer): void {
  process.send?.(answer);
}

const moved = (): void => send({ moved: true });

/** PDFium aborts on documents that inflate; what it only cannot read is another type of document. */
const codeOf = ({ name }: Error) => (name === 'RuntimeError' ? 'RENDER_FAILED' : undefined);

function run(message: Call): Promise<unknown> {
  switch (message.call) {
    case 'arrange':
      return arrange(...message.args);
    case 'pageSizes':
      return pageSizes(...message.args);
    case 'checkDrawable':
      return checkDrawable(...message.args, moved, fonts);
    case 'needsDrawing':
      return needsDrawing(...message.args, moved, fonts);
    case 'picturedPages':
      return picturedPages(...message.args, moved, fonts);
    case 'pwgRaster':
      return write(...message.args);
  }
}

/** Raster goes to stdout. */
async function write(...[bytes, settings]: Parameters<typeof pwgRaster>): Promise<void> {
  for await (const part of pwgRaster(bytes, settings, fonts))
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
  await new Promise<void>((resolve) => process.stdout.end(resolve));
}
