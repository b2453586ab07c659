import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

register('./typescript-hooks.mjs', import.meta.url);
const require = createRequire(import.meta.url);
const { default: circus } = require('jest-circus/runner');
const hooks = require('node:async_hooks');
const { AsyncLocalStorage } = hooks;

/** Keys that jest-circus leaves on the global object. */
const LEFTOVERS = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

/**
 * Runs a spec with jest-circus, but imports it with Node instead of Jest's sandbox, so that the files of one worker
 * load the program once.
 */
export default function run(globalConfig, config, environment, runtime, testPath, sendMessage) {
  for (const key of Object.getOwnPropertySymbols(globalThis))
    if (LEFTOVERS.has(key.description)) delete globalThis[key];
  const contexts = [];
  return circus(globalConfig, config, environment, native(runtime, contexts), testPath, sendMessage).finally(
    () => contexts.forEach((context) => context.disable()),
  );
}

function native(runtime, contexts) {
  const own = {
    /**
     * Evaluates jest-circus anew for each file: its state belongs to one file. So does the context of its tests, which
     * would take part in every `await` of all later files: after a hundred files an `await` took forty times as long.
     */
    requireInternalModule(path) {
      delete require.cache[path];
      hooks.AsyncLocalStorage = class extends AsyncLocalStorage {
        constructor() {
          super();
          contexts.push(this);
        }
      };
      try {
        return require(path);
      } finally {
        hooks.AsyncLocalStorage = AsyncLocalStorage;
      }
    },
    setGlobalsForRuntime(globals) {
      Object.assign(globalThis, globals);
      // Node translates stack traces by the source maps of the hooks; Jest's formatter knows no such files.
      delete Error.prepareStackTrace;
      process.setSourceMapsEnabled(true);
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(pathToFileURL(path).href),
  };
  return new Proxy(runtime, {
    get(target, name) {
      const value = own[name] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
