import { eventually, pause } from './polling.js';

/** Resolves once a printer has stopped reading; `end` is that of the call. */
export async function stalled(
  submit: (moved: () => void) => Promise<unknown>,
): Promise<{ end: Promise<unknown> }> {
  let moves = 0;
  const end = submit(() => void moves++);
  end.catch(() => undefined);
  await eventually('the stall', async () => {
    const before = moves;
    await pause(100);
    return (moves > 3 && moves === before) || undefined;
  });
  return { end };
}
