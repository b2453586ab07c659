import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../kit/free-port.js';

const PROGRAM = fileURLToPath(new URL('../../dist/test/stand-ins/main.js', import.meta.url));

const start = (...args: string[]) =>
  spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

describe('npm run stand-in', () => {
  it.each([
    ['eventstoredb', ['--like', '26.0.3'], (port: number) => `esdb://127.0.0.1:${port}?tls=false`],
    ['mongodb', [], (port: number) => `mongodb://127.0.0.1:${port}/rps?replicaSet=rs0&directConnection=true`],
  ] as const)('prints the address of %s, and ends on SIGTERM', async (kind, more, urlAt) => {
    const port = await freePort();
    const program = start(kind, '--port', String(port), ...more);
    const ended = once(program, 'exit');
    const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ ready: true, url: urlAt(port) });
    program.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['postgres'], 'usage: stand-in'],
    [['eventstoredb', '--like', '5.0.0'], 'there is no 5.0.0, only 23.10.8 and 26.0.3'],
    [['mongodb', '--like', '8.0'], 'one version only'],
  ])('refuses %j', async (args, text) => {
    const program = start(...args);
    const said: Buffer[] = [];
    program.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    const [code] = (await once(program, 'close')) as [number];
    expect([code, Buffer.concat(said).toString()]).toEqual([64, expect.stringContaining(text)]);
  });
});
