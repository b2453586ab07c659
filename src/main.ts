import { beforeLoading } from './app/before-loading.js';
import { toldToStop } from './app/told-to-stop.js';

// Loading the rest takes most of a second, in which it may be told to stop.
const stop = toldToStop();
const before = beforeLoading(process.argv.slice(2));
if ('refusal' in before) {
  process.stderr.write(`${before.refusal.sentence}\n`);
  process.exitCode = before.refusal.code;
} else {
  await import('reflect-metadata');
  const { startService } = await import('./app/start.js');
  process.exitCode = await startService(stop, before.options);
}
