import { beforeLoading } from './app/before-loading.js';
import { shutdownSignal } from './app/shutdown-signal.js';

// Loading the rest takes most of a second, during which a shutdown signal may arrive.
const stop = shutdownSignal();
const before = beforeLoading(process.argv.slice(2));
if ('refusal' in before) {
  process.stderr.write(`${before.refusal.sentence}\n`);
  process.exitCode = before.refusal.code;
} else {
  await import('reflect-metadata');
  const { startService } = await import('./app/start.js');
  process.exitCode = await startService(stop, before.options);
}
