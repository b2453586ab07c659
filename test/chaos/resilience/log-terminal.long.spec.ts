import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { soon } from '../../kit/polling.js';
import { describeUnless } from '../../kit/describe-unless.js';

const PROGRAM = resolve('dist/src/main.js');
const missing = ['script', 'setsid'].find((program) => spawnSync(program, ['--version']).status !== 0);

describeUnless(missing, 'running the service on a terminal', () => {
  let root: string;
  let terminal: ChildProcess;
  /** Output on the terminal. */
  let screen = '';
  /** The ready line, then the exit code. */
  let reported = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'rps-terminal-'));
    // A separate session, so that closing the terminal sends no SIGHUP.
    const service = `${process.execPath} ${PROGRAM} >&3; echo $? >&3`;
    terminal = spawn('script', ['-qfec', `setsid -w sh -c '${service}'`, '/dev/null'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, TERM: 'xterm', DATA_DIR: join(root, 'data'), PORT: '0' },
    });
    terminal.stdout!.on('data', (chunk: Buffer) => void (screen += chunk.toString()));
    terminal.stdio[3]!.on('data', (chunk: Buffer) => void (reported += chunk.toString()));
    await soon(() => reported.includes('\n'));
  });
  afterEach(async () => {
    terminal.kill('SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  it('logs readable lines, keeps serving after the terminal is closed, and exits with 0 on SIGTERM', async () => {
    const { url, pid } = JSON.parse(reported) as { url: string; pid: number };
    const request = async () => (await fetch(`${url}/nowhere`)).status;
    expect(await request()).toBe(404);
    await soon(() => screen.includes('INFO') && /method.*GET/.test(screen));

    terminal.kill('SIGKILL');
    await soon(() => terminal.signalCode !== null);
    for (let sent = 0; sent < 50; sent++) expect(await request()).toBe(404);
    process.kill(pid, 'SIGTERM');
    await soon(() => /\n\d+\n$/.test(reported));
    expect(reported.split('\n')[1]).toBe('0');
  });
});
