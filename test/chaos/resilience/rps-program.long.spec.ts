import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { soon } from '../../kit/polling.js';
import { ServiceProcess } from '../../kit/service-process.js';

const PROGRAM = resolve('bin/rps.mjs');
const TRACER = pathToFileURL('test/kit/loaded-modules.mjs').href;

describe('the program rps', () => {
  let service: ServiceProcess;
  let env: Record<string, string>;
  let account: string;
  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    await service.start();
    const { PATH = '', HOME = '' } = process.env;
    const bin = service.beside('bin');
    await mkdir(bin);
    await symlink(PROGRAM, `${bin}/rps`);
    env = { PATH: `${bin}:${PATH}`, HOME, RPS_URL: service.url, DATA_DIR: service.dataDir, TERM: 'xterm' };
    account = String((await service.operate('POST', '/accounts', { name: 'Corner shop' })).account_id);
  });
  afterAll(() => service.remove());

  const run = (file: string, args: readonly string[], more: Record<string, string> = {}) =>
    new Promise<{ code: number; out: string; err: string }>((end) => {
      const child = execFile(file, [...args], { env: { ...env, ...more } }, (error, out, err) =>
        end({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
      child.stdin?.end();
    });
  const rps = (...args: string[]) => run('rps', args);

  it('loads one file beside its starter', async () => {
    const file = service.beside('loaded');
    await run('rps', ['account', 'list'], { NODE_OPTIONS: `--import ${TRACER}`, LOADED_MODULES: file });
    const root = pathToFileURL('./').href;
    const loaded = (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith(root));
    const paths = loaded.map((url) => url.slice(root.length)).filter((path) => !path.startsWith('test/'));
    expect(paths.sort()).toEqual(['bin/build.mjs', 'bin/rps.mjs', 'dist/cli/rps.js']);
  });

  it.each([['acount list'], ['job cancel'], ['doctor now'], ['backup'], ['compact x'], ['job']])(
    'exits with 64 for "rps %s"',
    async (line) => {
      expect((await rps(...line.split(' '))).code).toBe(64);
    },
  );

  it('exits with 0 for help and with 1 for a refusal', async () => {
    expect((await rps('job', '--help')).code).toBe(0);
    expect((await rps('account', 'get', 'nobody')).code).toBe(1);
  });

  it('says that its output cannot be written', async () => {
    const { code, err } = await run('sh', ['-c', 'rps account list > /dev/full']);
    expect([code, err.split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^rps: the output cannot be written: ENOSPC/),
        expect.stringMatching(/^next: /),
        '',
      ],
    ]);
  });

  it.each(['doctor', 'mcp', 'backup'])('shows how %s is used, with 0', async (program) => {
    const { code, out } = await rps(program, '--help');
    expect([code, out]).toEqual([0, expect.stringMatching(/^usage: rps /i)]);
  });

  describe('on a terminal', () => {
    /** With a width, as a person sees it. */
    const onTerminal = async (columns: number, line: string, more: Record<string, string> = {}) => {
      const { out } = await run('script', ['-qec', `stty cols ${columns}; ${line}`, '/dev/null'], more);
      return out.replaceAll('\r\n', '\n');
    };

    it('prints a table in colours with relative times that fits the width', async () => {
      await service.operate('POST', '/accounts', { name: 'A name that is much longer than a column' });
      const shown = await onTerminal(90, 'rps account list');
      expect(shown).toContain('\u001b[1mACCOUNT ID\u001b[22m');
      expect(shown).toContain('\u001b[32mactive\u001b[39m');
      expect(shown.trimEnd()).toMatch(/(now|\d s ago)$/);
      const lines = stripVTControlCharacters(shown).trimEnd().split('\n');
      expect(lines.every((line) => line.length <= 90)).toBe(true);
      expect(lines[1]).toContain('…');
    });

    it('obeys NO_COLOR', async () => {
      expect(await onTerminal(90, 'rps account list', { NO_COLOR: '1' })).not.toContain('\u001b[');
    });
  });

  describe('completing in bash', () => {
    const FILL = `source <(rps completion bash)
COMP_WORDS=(rps "$@"); COMP_CWORD=$#
compopt() { echo "paths"; }
_rps; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const complete = async (...words: string[]) => {
      const { out, err } = await run('bash', ['-c', FILL, 'bash', ...words]);
      expect(err).toBe('');
      return out.split('\n').filter(Boolean);
    };

    it('completes what a person types', async () => {
      const shell = spawn('script', ['-qec', 'bash --norc -i', '/dev/null'], {
        env: { ...env, TERM: 'dumb' },
      });
      let out = '';
      shell.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      const type = async (text: string, shown: string) => {
        shell.stdin.write(text);
        await soon(() => out.includes(shown));
      };
      await type('source <(rps completion bash); PS1="rea""dy "\n', 'ready ');
      await type('rps job ca\t', 'job cancel ');
      await type('--help\n', 'Usage: rps job cancel ');
      shell.stdin.write('exit\n');
      await once(shell, 'exit');
    });

    it('offers groups, commands and programs', async () => {
      expect(await complete('com')).toEqual(['computer', 'compact', 'completion']);
      expect(await complete('webhook', 're')).toEqual(['resume', 'retry', 'recover']);
      expect(await complete('evidence', 've')).toEqual(['verify']);
    });

    it('offers options with those of every command, and their values', async () => {
      expect(await complete('job', 'list', '--')).toEqual(
        expect.arrayContaining(['--account', '--status', '--output', '--watch', '--url', '--help']),
      );
      expect(await complete('job', 'list', '-o', '')).toEqual(['json', 'table', 'csv']);
      expect(await complete('job', 'create', '--scale', 'f')).toEqual(['fit']);
      expect(await complete('--url', 'http://x', 'account', 'environment', 'shop', 'o')).toEqual([
        'on',
        'off',
      ]);
    });

    it('leaves paths to the shell, and offers nothing for an id', async () => {
      expect(await complete('job', 'create', '')).toEqual(['paths']);
      expect(await complete('--data-dir', '')).toEqual(['paths']);
      expect(await complete('job', 'show', '')).toEqual([]);
    });
  });

  describe('watching', () => {
    let child: ChildProcess;
    afterEach(() => void child.kill('SIGKILL'));

    it('prints a list again when it changes, until Ctrl-C', async () => {
      child = spawn('rps', ['key', 'list', '--account', 'corner-shop', '--watch'], { env });
      let out = '';
      child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
      await soon(() => out.includes('"total": 0'));
      const json = { name: 'till', scopes: ['jobs:read'] };
      const { key_id } = await service.operate('POST', `/accounts/${account}/keys`, json);
      await soon(() => out.includes(String(key_id)));
      expect(out.match(/"total": \d/g)).toEqual(['"total": 0', '"total": 1']);
      child.kill('SIGINT');
      expect((await once(child, 'exit'))[1]).toBe('SIGINT');
    });
  });
});
