import { beforeLoading } from './app/tuning/before-loading.js';
import { programFile } from './app/tuning/program-file.js';
import { shutdownSignal } from './app/shutdown-signal.js';

// Loading the rest takes a while, during which a shutdown signal may arrive.
const stop = shutdownSignal();
const before = beforeLoading(process.argv.slice(2));
if ('refusal' in before) {
  process.stderr.write(`${before.refusal.sentence}\n`);
  process.exitCode = before.refusal.code;
} else {
  const { startService } = (await import(programFile().href)) as typeof import('./app/program.js');
  process.exitCode = await startService(stop, before.options);
}
