import '../winspool/bounded-memory.js';
import { arrange, pageSizes } from './page-arranger.js';
import type { Answer, Call } from './pdf-process.js';

// Reads and lays out a PDF. It ends with the Agent, which alone decides when.

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message: Call) => void answer(message));

async function answer({ call, args }: Call): Promise<void> {
  let answer: Answer;
  try {
    answer = { result: await (call === 'arrange' ? arrange(...args) : pageSizes(...args)) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(answer);
}
