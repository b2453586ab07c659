import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

// For `NODE_OPTIONS=--import`: writes the scripts of the main thread to LOADED_MODULES when the process ends.
if (isMainThread) {
  const loaded = new Set();
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => loaded.add(params.url));
  session.post('Debugger.enable');
  process.once('exit', () => writeFileSync(process.env.LOADED_MODULES, [...loaded].join('\n')));
}
