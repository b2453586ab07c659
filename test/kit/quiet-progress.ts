import type { SubmitProgress } from '../../agent/printers/provider.js';

/** Progress of a hand-off that neither ends early nor crashes. */
export const quietProgress = (more: Partial<SubmitProgress> = {}): SubmitProgress => ({
  signal: new AbortController().signal,
  moved: () => undefined,
  created: async () => undefined,
  halfway: async () => undefined,
  ...more,
});
