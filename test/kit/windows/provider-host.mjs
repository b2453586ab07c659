// Runs in Node for Windows: serves the winspool provider of the build at argv[2] to one client over a loopback
// port, whose number it writes to argv[3]. The queue at argv[4] takes PDF itself, but no text. Messages are lines of JSON (test/kit/windows/remote-provider.ts).
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [build, portFile, special] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(build, 'agent/printers/winspool', file)).href);
const { WinspoolPrinters } = await load('winspool-printers.js');
const { windowsSpooler } = await load('winspool-library.js');
const provider = new WinspoolPrinters(windowsSpooler, { directPdf: [special], textPages: [special] });

const server = createServer((socket) => {
  const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
  const callbacks = new Map();
  let lastCallback = 0;
  const callBack = (id, step) => (value) =>
    new Promise((resolve, reject) => {
      callbacks.set(++lastCallback, { resolve, reject });
      send({ id, step, callback: lastCallback, value });
    });
  const withBytes = ({ bytes, ...request }) => ({ ...request, bytes: Buffer.from(bytes, 'base64') });
  const moving = { signal: new globalThis.AbortController().signal, moved: () => undefined };
  const calls = {
    admit: (id, request) => provider.admit(withBytes(request), moving),
    submit: (id, request) =>
      provider.submit(withBytes(request), {
        ...moving,
        created: callBack(id, 'created'),
        halfway: callBack(id, 'halfway'),
      }),
  };
  createInterface({ input: socket }).on('line', (line) => {
    const { id, call, args, callback, error } = JSON.parse(line);
    if (callback !== undefined) {
      const { resolve, reject } = callbacks.get(callback);
      return error === undefined ? resolve() : reject(new Error(error));
    }
    const answer = calls[call] ? calls[call](id, ...args) : provider[call](...args);
    answer.then(
      (result) => send({ id, result }),
      ({ name, message, failureCode, failureClass }) =>
        send({ id, error: { name, message, failureCode, failureClass } }),
    );
  });
  socket.on('error', () => undefined);
  socket.on('close', () => process.exit(0));
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
